# -o: the file appears whole, or not at all.
. "$CLI/common"
corpus
learn -t ner -n 2 --no-calibrate -o m.vouch train.txt
"$VOUCH" tag -m m.vouch test.txt >labelled.txt
try "$VOUCH" tag -m m.vouch -o out.txt $THREADS test.txt
cmp out.txt labelled.txt
echo "an old file is replaced:"
echo old >out.txt
"$VOUCH" tag -m m.vouch -o out.txt $THREADS test.txt
cmp out.txt labelled.txt
echo "an old file stays if anything fails:"
(cat test.txt; printf 'ragged\n') >bad.txt
try "$VOUCH" tag -m m.vouch -o out.txt $THREADS bad.txt
cmp out.txt labelled.txt
try "$VOUCH" tag -m m.vouch -o new.txt $THREADS bad.txt
"$VOUCH" tag -m m.vouch -o - test.txt | cmp - labelled.txt
ls -A
