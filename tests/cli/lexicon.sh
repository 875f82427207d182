# Lexicons: learned with, kept in the model, dumped and loaded, gone on from, and refused where they do not fit.
. "$CLI/common"
corpus
cat >places <<END
# source: made up
# licence: none
Paris	city	0101
Berlin	city	0100
New York	city	0111
the	word	1
00	year	
END
"$VOUCH" train -q -t ner -n 3 --no-calibrate --lexicon places=places -o m.vouch train.txt
"$VOUCH" info m.vouch | sed -n '/^lexicon/,/licence/p'
"$VOUCH" info --show-template m.vouch | grep -c places
"$VOUCH" dump m.vouch >text
grep ^class text
"$VOUCH" load -o again.vouch text
cmp m.vouch again.vouch && echo the same
"$VOUCH" tag -m m.vouch -c none test.txt >one
"$VOUCH" tag -m again.vouch -c none $THREADS test.txt >other
cmp one other && echo the same answers
"$VOUCH" train -q -t ner -n 2 --no-calibrate --shards 3 --lexicon places=places -o one.vouch train.txt
"$VOUCH" train -q -t ner -n 2 --no-calibrate --shards 3 $THREADS --lexicon places=places -o other.vouch train.txt
cmp one.vouch other.vouch && echo the same model
"$VOUCH" train -q -n 1 --from m.vouch -o on.vouch test.txt
"$VOUCH" info on.vouch | grep -c 'lexicon     places: 5 entries'
echo "a template"
printf 'U0:%%x[0,0]\nU1:%%places[0,0]/%%places.2:2[1,0]\nB\n' >template
"$VOUCH" train -q -t ner -n 1 --no-calibrate --template template --lexicon places=places -o t.vouch train.txt
"$VOUCH" info --show-template t.vouch
refuse()
{
    echo "$1"
    shift
    try "$VOUCH" train -q -t ner -n 1 --no-calibrate -o bad.vouch "$@" train.txt
}
refuse "no name" --lexicon places
refuse "a name that is a view's" --lexicon lower=places
refuse "twice" --lexicon a=places --lexicon a=places
refuse "no such file" --lexicon a=nowhere
printf 'a\t1\na\t2\n' >bad
refuse "an entry twice" --lexicon a=bad
printf 'U0:%%x[0,0]\nB\n' >template
refuse "a template that does not look at it" --template template --lexicon places=places
printf 'U0:%%places.3[0,0]\nB\n' >template
refuse "a column that is not there" --template template --lexicon places=places
refuse "with a model to go on from" --from m.vouch --lexicon places=places
echo "an output that is the lexicon"
cp places kept
try "$VOUCH" train -q -t ner -n 1 --no-calibrate --lexicon places=places -o places train.txt
cmp places kept && echo "it is as it was"
"$VOUCH" sample --kind dep -n 5 >trees
try "$VOUCH" train -q -t dep --lexicon places=places -o bad.vouch trees
sed 's/^class.0.Paris/class\t0\tBerlin/' text >bad
try "$VOUCH" load -o bad.vouch bad
sed '/^class.0.Paris/d' text >bad
try "$VOUCH" load -o bad.vouch bad
sed 's/"name":"places"/"name":"lower"/' text >bad
try "$VOUCH" load -o bad.vouch bad
ls bad.vouch 2>/dev/null || echo nothing was written
