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

# Other files, no table, and what is for learning only.
decide 'NR == 2 { $9 = "-"; $2 = "else.txt" } 1'
run --decided decided.tsv train.txt
run --decided missing.tsv train.txt
run --decided train.txt train.txt
try "$VOUCH" review --apply list.tsv --decided list.tsv train.txt
