# What tuning refuses; the model stays as it was.
. "$CLI/tree_common"
corpus
"$VOUCH" train --no-calibrate -t ner -a perceptron -n 1 -q -o m.vouch train.txt
cp m.vouch same.vouch
try "$VOUCH" tune
try "$VOUCH" tune -m m.vouch
try "$VOUCH" tune -m m.vouch -o - test.txt
try "$VOUCH" tune -m m.vouch -o t.vouch --in-place test.txt
try "$VOUCH" tune -m - --in-place test.txt
try "$VOUCH" tune --answers test.txt --in-place
# Without -o or --in-place, what is found is printed, and nothing is written.
"$VOUCH" tune -m m.vouch --grid quick test.txt 2>&1 | grep '^label\|^the model'
try "$VOUCH" tune -m m.vouch --grid fine test.txt
try "$VOUCH" tune -m m.vouch --format xml test.txt
try "$VOUCH" tune -m m.vouch --draws 1025 test.txt
try "$VOUCH" tune -m missing test.txt
try "$VOUCH" tune -m m.vouch missing
try "$VOUCH" tune -m m.vouch -o missing/t.vouch test.txt
try "$VOUCH" tune -m m.vouch -o test.txt test.txt
: >empty
try "$VOUCH" tune -m m.vouch empty
echo 'no labels at all here' >plain
try "$VOUCH" tune -m m.vouch plain
cut -d ' ' -f 1,4 test.txt >narrow
try "$VOUCH" tune -m m.vouch narrow
"$VOUCH" sample --kind dep -n 10 >trees.conllu
"$VOUCH" train --no-calibrate --task dep --bits 12 -n 1 -q -o d.vouch trees.conllu
try "$VOUCH" tune -m d.vouch test.txt
try "$VOUCH" tune -m d.vouch --format conll test.txt
cmp m.vouch same.vouch

# One sentence is little, but no error, and neither are answers that are all right.
printf 'Paris NNP B-NP B-LOC\n. . O O\n\n' >one
"$VOUCH" tune -q -m m.vouch --grid quick -o t.vouch one | sed -n '1p; /^method/,$p'
"$VOUCH" tag -q -m t.vouch one | awk 'NF { print NF }'
