# What is probably mislabelled in a corpus with planted errors, as a table, as JSON lines and as a page.
. "$CLI/common"
"$VOUCH" sample -n 150 --noise 0.02 >train.txt
"$VOUCH" sample -n 150 >clean.txt
"$VOUCH" review $THREADS -t ner --inspect 12 -o suspects.tsv train.txt 2>said
cat said suspects.tsv

# Those that were planted, as far as there are differences in these lines.
cut -f 3 suspects.tsv | sed 1d | while read -r line; do
    sed -n "${line}p" train.txt >given
    sed -n "${line}p" clean.txt | cmp -s given - || echo "planted: line $line"
done

# The same list in other forms; percent is of all words, and there is a default.
"$VOUCH" review $THREADS -t ner --inspect 2 --as jsonl train.txt 2>said
cat said
"$VOUCH" review $THREADS -t ner --inspect 2 --as html train.txt 2>said | sed -n '/^<h1>/,/^<\/ol>/p' |
    sed '/<div class="note">/,/<\/div>/d'
"$VOUCH" review $THREADS -t ner -q train.txt | wc -l
"$VOUCH" review $THREADS -t ner --inspect 0.5% -q train.txt | wc -l
"$VOUCH" review $THREADS -t ner --inspect all -q train.txt | wc -l
grep -c . train.txt
