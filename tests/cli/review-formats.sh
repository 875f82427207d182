# JSON lines, CRFsuite attributes and compressed columns, there and back.
. "$CLI/common"
"$VOUCH" sample -n 80 --noise 0.02 >train.txt
awk 'NF { gsub(/[:\\]/, "\\\\&"); print $4 "\tp=" $2 "\tw[0]=" $1; next } { print "" }' train.txt >train.crfsuite
awk 'NF { w = w s "\"" $1 "\""; l = l s "\"" $4 "\""; s = ", " }
     !NF { print "{\"id\": 1.50, \"labels\": [" l "], \"tokens\": [" w "]}"; w = l = s = "" }' train.txt >train.jsonl
gzip -n <train.txt >train.txt.gz
for file in train.jsonl train.crfsuite train.txt.gz; do
    "$VOUCH" review $THREADS -t ner -n 1 --inspect 3 -o list.tsv $file 2>said
    tail -n 1 said
    cut -f 1-8,17 list.tsv
    sed '1!s/\t\t/\t+\t/' list.tsv >decided.tsv
    "$VOUCH" review --apply decided.tsv -q -o corrected $file
    gzip -dcf $file | diff - corrected | grep -c '^[<>]'
done

# The gold label in another column.
awk 'NF { print $1, $4, $2, $3; next } { print "" }' train.txt >second.txt
"$VOUCH" review $THREADS -t ner -n 1 --gold 2 --inspect 1 -o list.tsv second.txt 2>said
tail -n 1 said
sed '1!s/\t\t/\tB-X\t/' list.tsv >decided.tsv
"$VOUCH" review --apply decided.tsv --new-labels -q --gold 2 second.txt | diff second.txt - | cut -d ' ' -f 3

# Labels with blanks fit no table, but anything else.
sed 's/"B-PER"/"B-a person"/g; s/"tokens": \["/&\\t<\&>/' train.jsonl >blanks.jsonl
try "$VOUCH" review $THREADS -t ner -n 1 blanks.jsonl
"$VOUCH" review $THREADS -t ner -n 1 --inspect all --as jsonl -q blanks.jsonl | grep -m 1 -o '"given": "B-a person"'
"$VOUCH" review $THREADS -t ner -n 1 --inspect all --as html -q blanks.jsonl | grep -m 1 -o '&lt;&amp;&gt;'
