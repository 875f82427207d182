# How far annotators agree: labels, chunks, trees; a model's opinion; wrong input.
. "$CLI/common"
"$VOUCH" sample -n 150 >train.txt
"$VOUCH" sample -n 40 --first 150 >ann.txt
learn -t ner -n 3 -o m.vouch train.txt
# Every eleventh word is O for one, every thirteenth is open for another.
awk 'NF && NR % 11 == 0 { $NF = "O" } { print }' ann.txt >ben.txt
awk 'NF && NR % 13 == 0 { $NF = "_" } { print }' ben.txt >carl.txt

"$VOUCH" agree ann.txt ben.txt --list 5
"$VOUCH" agree ann.txt ben.txt carl.txt --list 0

# F1 of spans is what vouch eval counts; annotators who are one agree.
"$VOUCH" eval ann.txt ben.txt --json | tr -d ' ,' | grep -m 1 '"f1"'
"$VOUCH" agree ann.txt ben.txt --json --list 0 | tr -d ' \n' | tr '{' '\n' | grep '"spans","measure":"f1"' |
    cut -d , -f 1-5
"$VOUCH" agree ann.txt ann.txt | grep -c ' 1.000 '

# The model is surest of what was taken away.
"$VOUCH" agree -m m.vouch ann.txt ben.txt --list 3 | tail -n 3 | tr -d '0-9.()'

# Trees, and the column of CoNLL-U.
"$VOUCH" sample --kind dep -n 20 >ann.conllu
awk -F '\t' -v OFS='\t' 'NF == 10 && NR % 7 == 0 { $8 = "other" } { print }' ann.conllu >ben.conllu
"$VOUCH" agree ann.conllu ben.conllu --list 2
"$VOUCH" agree ann.conllu ben.conllu --column deprel --list 1

# Wrong input.
sed 's/^[^ ][^ ]*/word/' ann.txt >other.txt
head -n 20 ann.txt >short.txt
try "$VOUCH" agree ann.txt
try "$VOUCH" agree ann.txt other.txt
try "$VOUCH" agree ann.txt short.txt
try "$VOUCH" agree ann.conllu ann.txt
try "$VOUCH" agree -m m.vouch ann.conllu ben.conllu
try "$VOUCH" agree ann.txt ben.txt --threads 2
