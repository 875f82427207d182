# Decisions that do not fit the corpus: nothing is written.
. "$CLI/tree_common"
printf 'Ada O\nKing O\n\nParis B-LOC\n' >train.txt
apply()
{
    printf 'file\tline\tword\twords\ttext\tgiven\tproposed\tdecision\n' >decided.tsv
    printf "$1" >>decided.tsv
    try "$VOUCH" review --apply decided.tsv -o corrected.txt train.txt
}
apply 'train.txt\t1\t1\t2\tAda King\tO O\tB-PER I-PER\t+\n'
cat corrected.txt
rm corrected.txt
apply 'train.txt\t1\t1\t1\tAda\tB-PER\tO\t+\n'
apply 'train.txt\t1\t1\t1\tEve\tO\tB-PER\t+\n'
apply 'train.txt\t3\t1\t1\tAda\tO\tB-PER\t+\n'
apply 'train.txt\t7\t1\t1\tAda\tO\tB-PER\t+\n'
apply 'train.txt\t1\t1\t2\tAda King\tO O\tB-PER I-PER\tB-LOC\n'
apply 'train.txt\t1\t1\t2\tAda King\tO O\tB-PER I-PER\t+\ntrain.txt\t2\t2\t1\tKing\tO\tB-PER\t+\n'
apply 'test.txt\t1\t1\t1\tAda\tO\tB-PER\t+\n'
apply 'a/train.txt\t1\t1\t1\tAda\tO\tB-PER\t+\nb/train.txt\t1\t1\t1\tAda\tO\tB-PER\t+\n'
apply 'train.txt\tone\t1\t1\tAda\tO\tB-PER\t+\n'
apply 'train.txt\t1\t0\t1\tAda\tO\tB-PER\t+\n'
apply 'train.txt\t1\t1\t99999999999\tAda\tO\tB-PER\t+\n'
apply 'train.txt\t1\t1\t1\tAda\tO\tB-PER\t+\tmore\n'
ls

# What is no label of the corpus was mistyped.
for typed in yes x ++ – o LOC; do
    apply "train.txt\\t1\\t1\\t1\\tAda\\tO\\tB-LOC\\t$typed\\n"
done
try "$VOUCH" review -t ner --new-labels train.txt
apply 'train.txt\t1\n'

# The list itself.
: >empty
try "$VOUCH" review --apply empty train.txt
try "$VOUCH" review --apply train.txt train.txt
tr '\t' ';' <decided.tsv >decided.csv
try "$VOUCH" review --apply decided.csv train.txt
printf 'file\tline\n' >narrow.tsv
try "$VOUCH" review --apply narrow.tsv train.txt
try "$VOUCH" review --apply missing train.txt
try "$VOUCH" review --apply decided.tsv
try "$VOUCH" review --apply decided.tsv train.txt train.txt
try "$VOUCH" review --apply decided.tsv -m m.vouch train.txt
try "$VOUCH" review --apply decided.tsv --format xml train.txt
try "$VOUCH" review --apply decided.tsv missing
try "$VOUCH" review --apply decided.tsv -o train.txt train.txt
try "$VOUCH" review --apply decided.tsv -o decided.tsv train.txt

# Trees must stay trees.
two_roots >trees.conllu
tree()
{
    printf 'file\tline\tword\twords\tgiven\tproposed\tdecision\tlayer\n' >decided.tsv
    printf "$1" >>decided.tsv
    try "$VOUCH" review --apply decided.tsv -q trees.conllu
}
tree 'trees.conllu\t4\t1\t2\t2:nsubj 0:root\t0:root 1:obj\t+\tarc\n'
tree 'trees.conllu\t5\t2\t1\t0:root\t\t1:nsubj\trelation\n'
tree 'trees.conllu\t5\t2\t1\t0:root\t\t3\tarc\n'
tree 'trees.conllu\t5\t2\t1\t0:root\t\troot\tarc\n'
tree 'trees.conllu\t4\t1\t1\t2:nsubj\t\t2:nsubk\trelation\n'
