# From a decided list to a corrected corpus: only what was decided changes.
. "$CLI/common"
"$VOUCH" sample -n 100 --noise 0.02 >train.txt
list()
{
    "$VOUCH" review $THREADS -t ner -n 1 -q --inspect 10 "$@"
}

# Decides all rows: + takes the proposal.
accept()
{
    awk -F '\t' -v OFS='\t' 'NR > 1 { $9 = "+" } 1' "$1"
}

# What each changed line became.
changes()
{
    diff "$1" "$2" | grep '^[<>]' | awk '{ print $1, $NF }' | sort | uniq -c
}

for level in word chunk sentence; do
    list --level $level train.txt >list.tsv
    accept list.tsv >decided.tsv
    try "$VOUCH" review --apply decided.tsv -o corrected.txt train.txt
    changes train.txt corrected.txt
    awk -v level=$level '{ $NF = "" } 1' corrected.txt >words
    awk '{ $NF = "" } 1' train.txt | cmp - words
done

# Undecided, refused, and decided otherwise; the file in another folder, with CR LF and no end of the last line.
mkdir other
sed 's/$/\r/' train.txt | head -c -4 >other/train.txt
list train.txt >list.tsv
awk -F '\t' -v OFS='\t' 'NR == 2 { $9 = "-" } NR == 3 { $9 = "B-NEW" } NR == 4 { $9 = " + " } 1' list.tsv >decided.tsv
try "$VOUCH" review --apply decided.tsv --new-labels -o other/corrected.txt other/train.txt
cmp other/train.txt other/corrected.txt | sed 's/byte.*//'
diff other/train.txt other/corrected.txt | tr '\r' '~'
try "$VOUCH" review --apply list.tsv -q train.txt | sed 's/^out: //' | head -n -1 | cmp - train.txt

# Columns in another order, quotes of a spreadsheet around all fields, no text to compare.
awk -F '\t' -v OFS='"\t"' '{ print "\"" $9, $8, $7, $5, $4, $3, $2 "\"" }' decided.tsv |
    sed 's/$/\r/' >quoted.tsv
"$VOUCH" review --apply quoted.tsv --new-labels -q train.txt >a
"$VOUCH" review --apply decided.tsv --new-labels -q train.txt | cmp - a

# A word that is a quote, as spreadsheets write it.
printf '" O\na B\n' >quote.txt
printf 'file\tline\tword\twords\ttext\tgiven\tproposed\tdecision\nquote.txt\t1\t1\t2\t""" a"\tO B\tI I\t+\n' >quote.tsv
"$VOUCH" review --apply quote.tsv -q quote.txt

# Several files: each in its turn.
cp train.txt more.txt
list --inspect 2% train.txt more.txt | accept /dev/stdin >both.tsv
try "$VOUCH" review --apply both.tsv -o a train.txt
try "$VOUCH" review --apply both.tsv -o b more.txt

# So do lists themselves write a field that starts with a quote.
sed 's/^[Tt]he /" /' train.txt >quotes.txt
list --level chunk --inspect all quotes.txt >list.tsv
cut -f 6,17 list.tsv | grep -m 2 '^"'
cut -f 6,17 list.tsv | grep -m 1 '	"'
sed '1!s/\t\t/\t+\t/' list.tsv >decided.tsv
"$VOUCH" review --apply decided.tsv -o corrected.txt quotes.txt 2>said
head -n 1 said

# Decided by hand: O or a type for a whole chunk; half of one leaves the scheme, which is said.
printf 'Ada B-PER\nKing I-PER\nsaw O\nNew O\nYork O\n\nRome B-LOC\n' >train.txt
by_hand()
{
    printf 'file\tline\tword\twords\ttext\tgiven\tproposed\tdecision\n' >decided.tsv
    printf "$1" >>decided.tsv
    try "$VOUCH" review --apply decided.tsv train.txt
}
by_hand 'train.txt\t1\t1\t2\tAda King\tB-PER I-PER\tO O\tO\ntrain.txt\t4\t4\t2\tNew York\tO O\tO O\tLOC\n'
by_hand 'train.txt\t1\t1\t1\tAda\tB-PER\tO\t+\n'
by_hand 'train.txt\t2\t2\t1\tKing\tI-PER\tO\t+\n'
