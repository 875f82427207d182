# Vectors of words as features: a table of text, and arrays with a row for each word.
. "$CLI/common"
corpus

# Three numbers for each word: whether it begins with a capital, is a number, has an "e"; the word "of" has none.
vectors_of()
{
    awk 'NF && !seen[$1]++ && $1 != "of" {
             print $1, ($1 ~ /^[A-Z]/) + 0, ($1 ~ /^[0-9]/) - 0.5, ($1 ~ /e/) * 1e-1 }' "$@"
}
vectors_of train.txt test.txt >table.txt

# The same as a .npy file of float32: only numbers whose bytes are easily written.
array_of()
{
    words=$(grep -c . "$1")
    header="{'descr': '<f4', 'fortran_order': False, 'shape': ($words, 2), }"
    printf '\223NUMPY\001\000\166\000%-117s\n' "$header"
    awk 'NF { printf "%s%s", $1 ~ /^[A-Z]/ ? "\\0000\\0000\\0200\\0077" : "\\0000\\0000\\0000\\0000",
              $1 ~ /^[0-9]/ ? "\\0000\\0000\\0000\\0100" : "\\0000\\0000\\0200\\0277" }' "$1" >.octal
    printf %b "$(cat .octal)"
}
array_of train.txt >train.txt.npy
array_of test.txt >test.txt.npy

echo "== a table: trained, shown, used; threads make no difference"
"$VOUCH" train -q $THREADS -t ner -a cw+crf -n 3 --vectors table.txt -o table.vouch train.txt
"$VOUCH" train -q -t ner -a cw+crf -n 3 --vectors table.txt -j 2 -o other.vouch train.txt
cmp table.vouch other.vouch && echo same
"$VOUCH" info table.vouch | grep -e features -e vectors
"$VOUCH" tag -q $THREADS -m table.vouch --vectors table.txt test.txt | head -n 4
"$VOUCH" eval -q $THREADS -m table.vouch --vectors table.txt --confidence kd-pc,gamma --resamples 0 test.txt

echo "== dumped and loaded"
"$VOUCH" dump table.vouch | sed -n '/^node/{N;p;}' | head -n 4
"$VOUCH" dump table.vouch | "$VOUCH" load -o loaded.vouch -
cmp table.vouch loaded.vouch && echo same

echo "== words in lower case and with a first line of word2vec; other digests"
{ echo "$(grep -c . table.txt) 3"; tr A-Z a-z <table.txt; } >lower.txt
try "$VOUCH" tag -q -m table.vouch --vectors lower.txt test.txt
"$VOUCH" train -q -t ner -n 1 --no-calibrate --vectors lower.txt -o lower.vouch train.txt
"$VOUCH" tag -q -m lower.vouch --vectors lower.txt test.txt | head -n 2

echo "== arrays, beside the corpus or named"
"$VOUCH" train -q -t ner -n 2 --vectors %.npy --vector-window 0 -d test.txt -o array.vouch train.txt
"$VOUCH" info array.vouch | grep vectors
"$VOUCH" tag -q -m array.vouch --vectors test.txt.npy test.txt >one.txt
"$VOUCH" tag -q -j 2 -m array.vouch --vectors test.txt.npy - <test.txt >two.txt
cmp one.txt two.txt && echo same
"$VOUCH" eval -q -m array.vouch --vectors %.npy --confidence none test.txt | sed -n 2p
"$VOUCH" tune -q --grid quick -m array.vouch --vectors %.npy -o tuned.vouch test.txt
"$VOUCH" train -q --from array.vouch -n 1 --vectors %.npy -o on.vouch test.txt
"$VOUCH" eval -q --folds 2 -t ner -a pa -n 1 --vectors %.npy train.txt | tail -n 2
"$VOUCH" review -q $THREADS -t ner -n 1 --folds 2 --inspect 3 --vectors %.npy train.txt | cut -f 3,6-8
"$VOUCH" review -q $THREADS -m tuned.vouch --inspect 1 --vectors %.npy test.txt | cut -f 3,6-8
"$VOUCH" trade -q $THREADS -m tuned.vouch --in-place --vectors %.npy --precision 0.5 test.txt | grep chosen
"$VOUCH" active next -q -m array.vouch -n 2 --vectors test.txt.npy --pool test.txt train.txt | head -n 2
"$VOUCH" forecast -q -m tuned.vouch --vectors %.npy test.txt | head -n 1

echo "== what does not fit"
try "$VOUCH" tag -q -m array.vouch test.txt
try "$VOUCH" tag -q -m array.vouch --vectors table.txt test.txt
try "$VOUCH" eval -q -m array.vouch --vectors train.txt.npy --confidence none test.txt
try "$VOUCH" eval -q -m array.vouch --vectors test.txt.npy --confidence none train.txt
try "$VOUCH" tag -q -m array.vouch --vectors %.npy - <test.txt
try "$VOUCH" train -q --from array.vouch --vector-window 1 --vectors %.npy -o no.vouch train.txt
learn -t ner -n 1 --no-calibrate -o plain.vouch train.txt
try "$VOUCH" tag -q -m plain.vouch --vectors table.txt test.txt
try "$VOUCH" train -q -t dep --vectors table.txt -o no.vouch train.txt

echo "== tables that are none"
for line in 'of 1 2' 'of 1 2 3 4' 'of 1 2 x' 'of 1 2 1e99'; do
    { cat table.txt; echo "$line"; } >bad.txt
    try "$VOUCH" train -q -t ner -n 1 --no-calibrate --vectors bad.txt -o no.vouch train.txt
done
for content in '' 'word' '12 3' 'word one two'; do
    echo "$content" >bad.txt
    try "$VOUCH" train -q -t ner -n 1 --no-calibrate --vectors bad.txt -o no.vouch train.txt
done
try "$VOUCH" train -q -t ner -n 1 --vectors missing.txt -o no.vouch train.txt
head -c 100 train.txt.npy >cut.npy
try "$VOUCH" train -q -t ner -n 1 --vectors cut.npy -o no.vouch train.txt
ls no.vouch 2>/dev/null
