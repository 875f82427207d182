# Chunks and sentences: what is given and what is proposed of all words together.
. "$CLI/common"
"$VOUCH" sample -n 150 --noise 0.02 >train.txt
for level in chunk sentence; do
    "$VOUCH" review $THREADS -t ner --level $level --inspect 4 -o $level.tsv train.txt 2>said
    cat said $level.tsv
done
"$VOUCH" review $THREADS -t ner --level entity --inspect 4 -q train.txt | cmp - chunk.tsv
"$VOUCH" review $THREADS -t ner --level sentence --inspect 1 --as html -q train.txt | sed -n '/^<ol/,/^<\/ol>/p'

# IOB1 is written as IOB1, and chunks that count as O keep their labels.
sed 's/B-\([A-Z]*\)$/I-\1/' train.txt >iob1.txt
"$VOUCH" review $THREADS -t ner --level chunk --inspect all -q iob1.txt | cut -f 7,8 | tr ' \t' '\n\n' | sort | uniq -c
"$VOUCH" sample --kind chunk -n 100 --noise 0.03 >chunks.txt
"$VOUCH" review $THREADS -t np --inspect all -q chunks.txt | cut -f 7,8 | awk '$1 == $2' | sort | uniq -c
