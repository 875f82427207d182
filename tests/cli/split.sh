# Dividing a corpus: every sentence is in one of two files, as it was read and in the order in which it was read.
. "$CLI/common"
"$VOUCH" sample -n 10 >one.txt
printf -- '-DOCSTART- -X- O O\n\n' >two.txt
"$VOUCH" sample -n 11 --first 10 >>two.txt
try "$VOUCH" split -o train.txt --rest test.txt one.txt two.txt
"$VOUCH" sample -n 21 >all.txt
cat train.txt test.txt | awk -v RS= '{ print NR, $0 }' | wc -l
cut -d ' ' -f 1 test.txt | tr '\n' ' ' | sed 's/  /\n/g'

# In the order of the corpus: taking away the test sentences leaves the training sentences.
awk -v RS= -v ORS='\n\n' 'FNR == NR { out[$0] = 1; next } !($0 in out)' test.txt all.txt | cmp - train.txt

# The same seed, the same choice; another one, another.
"$VOUCH" split -q -o a.txt --rest b.txt one.txt two.txt
cmp a.txt train.txt
"$VOUCH" split -q --seed 2 -o c.txt --rest b.txt one.txt two.txt
cmp -s c.txt train.txt || echo "another choice"

# By number; without the rest; more than there are.
"$VOUCH" split -q --count 3 --json -o a.txt one.txt
"$VOUCH" split -q --count 99 --json -o a.txt --rest b.txt one.txt
cmp a.txt one.txt
wc -c <b.txt

# Trees keep their comments; JSON lines are lines.
"$VOUCH" sample --kind dep -n 5 >trees.conllu
printf '1-2\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n' >>trees.conllu
printf '1\tde\t_\t_\t_\t_\t2\tx\t_\t_\n2\tel\t_\t_\t_\t_\t0\troot\t_\t_\n\n' >>trees.conllu
"$VOUCH" split --share 1 --json -o a.conllu trees.conllu
cmp a.conllu trees.conllu
printf '{"tokens": ["A", "b"], "labels": ["O", "B-X"], "id": 7}\n{"tokens": ["C"], "labels": ["O"]}\n' >two.jsonl
"$VOUCH" split -q --share 0.5 -o a.jsonl --rest b.jsonl two.jsonl
cat a.jsonl b.jsonl
