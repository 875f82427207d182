# Exceptions: -! in a table of decisions says right as it is, and no later run asks about it.
. "$CLI/common"
printf 'Ada B-PER\nKing I-PER\nsaw O\nNew O\nYork O\n\nRome B-LOC\n' >small.txt
table()
{
    printf 'file\tline\tword\twords\ttext\tgiven\tproposed\tdecision\n'
    printf "$1"
}

# It changes nothing, as - does, and is not taken for a label; others beside it are applied.
table 'small.txt\t4\t4\t2\tNew York\tO O\tB-LOC I-LOC\t-!\nsmall.txt\t7\t1\t1\tRome\tB-LOC\tB-PER\t-!\n' >exceptions.tsv
try "$VOUCH" review --apply exceptions.tsv -o corrected.txt small.txt
cmp small.txt corrected.txt
table 'small.txt\t4\t4\t2\tNew York\tO O\tB-LOC I-LOC\t -! \nsmall.txt\t7\t1\t1\tRome\tB-LOC\tB-PER\t+\n' >mixed.tsv
try "$VOUCH" review --apply mixed.tsv small.txt

# Kept apart as a table, they are not listed again, and the rest is as after -.
"$VOUCH" sample -n 60 --noise 0.02 >train.txt
list()
{
    "$VOUCH" review $THREADS -t ner -n 1 -q --inspect 10 "$@" train.txt
}
list >list.tsv
awk -F '\t' -v OFS='\t' 'NR > 1 { $9 = NR < 5 ? "-!" : NR < 8 ? "-" : "" } 1' list.tsv >decided.tsv
awk -F '\t' 'NR == 1 || $9 == "-!"' decided.tsv >kept.tsv
sed 's/\t-!\t/\t-\t/' kept.tsv >right.tsv
sed 1d kept.tsv | cut -f 3,4 | sort >places
list --decided kept.tsv >rest.tsv
sed 1d rest.tsv | cut -f 3,4 | sort | comm -12 places - | wc -l
sed 1d rest.tsv | wc -l
list --decided right.tsv | cmp - rest.tsv

# The labels must be those that were acknowledged, with --decided.
sed 's/\tB-LOC\tB-PER/\tB-ORG\tB-PER/' exceptions.tsv >other.tsv
try "$VOUCH" review -q -t ner --decided other.tsv small.txt
