# Decisions of earlier rounds that do not fit are refused, with file and line.
. "$CLI/common"
"$VOUCH" sample -n 60 --noise 0.03 >train.txt
"$VOUCH" review -t ner -n 1 -q --inspect 5 train.txt >list.tsv
run()
{
    try "$VOUCH" review -t ner -n 1 -q --inspect 2 "$@"
}
decide()
{
    awk -F '\t' -v OFS='\t' "$1" list.tsv >decided.tsv
}

decide 'NR == 2 { $9 = "-"; $7 = "B-XXX" } 1'
run --decided decided.tsv train.txt
decide 'NR == 2 { $9 = "+"; $6 = "other" } 1'
run --decided decided.tsv train.txt
decide 'NR == 3 { $9 = "-"; $3 = 99999 } 1'
run --decided decided.tsv train.txt
decide 'NR == 3 { $9 = "-"; $3 = "x" } 1'
run --decided decided.tsv train.txt
decide 'NR == 2 { $9 = "B-NEW" } 1'
run --decided decided.tsv train.txt
try "$VOUCH" review -t ner -n 1 -q --inspect 1 --decided decided.tsv --new-labels -o out train.txt

# Two rounds that contradict each other, and one table that does so in two sentences.
decide 'NR == 2 { $9 = "-" } 1'
cp decided.tsv first.tsv
decide 'NR == 2 { $9 = "+" } 1'
run --decided first.tsv --decided decided.tsv train.txt
decide 'NR == 2 || NR == 3 { $9 = "-"; print; $9 = "+" } 1'
run --decided decided.tsv train.txt

# In a row of several words, the line is that of the word.
"$VOUCH" review -t ner -n 1 -q --level chunk --inspect all train.txt >chunks.tsv
awk -F '\t' -v OFS='\t' 'NR == 1
    $5 == 2 && !n++ {
        $9 = "O"; print
        split($6, text, " "); split($7, given, " ")
        $3++; $4++; $5 = 1; $6 = text[2]; $7 = given[2]; $9 = "B-PER"; print
    }' chunks.tsv >decided.tsv
cut -f 3-9 decided.tsv
run --decided decided.tsv train.txt
{ sed -n '1p;3p' decided.tsv; sed -n 2p decided.tsv; } >other.tsv
run --decided other.tsv train.txt
try "$VOUCH" review --apply other.tsv train.txt

# Other files, no table, and what is for learning only.
decide 'NR == 2 { $9 = "-"; $2 = "else.txt" } 1'
run --decided decided.tsv train.txt
run --decided missing.tsv train.txt
run --decided train.txt train.txt
try "$VOUCH" review --apply list.tsv --decided list.tsv train.txt
