# Classes of words: from vectors, from text, the same on several threads, and of use to training.
. "$CLI/common"
corpus
printf '5 2\nRome 1 0\nParis 0.9 0.1\n12 -1 0\nrun 0 1\nwalk 0.1 0.9\n' >table
"$VOUCH" cluster -q --vectors table --sizes 3,2 --source 'a table' --licence none
gzip -c table >table.gz
"$VOUCH" cluster -q --vectors table.gz --sizes 3,2 --source 'a table' --licence none >one
"$VOUCH" cluster -q --vectors table --sizes 3,2 --source 'a table' --licence none $THREADS >other
cmp one other && echo the same
"$VOUCH" cluster -q --sizes 4,16 --words 200 train.txt -o one
"$VOUCH" cluster -q --sizes 4,16 --words 200 train.txt $THREADS -o other
cmp one other && echo the same
wc -l <one
"$VOUCH" train -q -t ner -n 3 --no-calibrate --lexicon made=one -o m.vouch train.txt
"$VOUCH" info m.vouch | sed -n '/^lexicon/,/licence/p'
echo "trees, of which the words count"
"$VOUCH" sample --kind dep -n 50 -o trees.conllu
"$VOUCH" cluster -q --sizes 3 trees.conllu -o one
sed '/^#/d' trees.conllu | cut -f 2 >words.txt
"$VOUCH" cluster -q --sizes 3 --format conll words.txt -o other
cmp one other && echo the same
echo "words that no lexicon can have"
printf '{"tokens": ["two  blanks", "a", "tab\\there", "b", " in front", "New York"]}\n' >words.jsonl
"$VOUCH" cluster -q --sizes 2 words.jsonl -o one
cat one
"$VOUCH" train -q -t ner -n 1 --no-calibrate --lexicon made=one -o m.vouch train.txt && echo learned
try "$VOUCH" cluster
try "$VOUCH" cluster --vectors table train.txt
try "$VOUCH" cluster --vectors table --sizes 1
try "$VOUCH" cluster --vectors table --sizes 6
try "$VOUCH" cluster --vectors train.txt --sizes 2
try "$VOUCH" cluster nowhere
try "$VOUCH" cluster --vectors table -o table
try "$VOUCH" cluster --vectors table --sizes 2 --source "$(printf 'two\nlines')"
