# What trading refuses; the model stays as it was.
. "$CLI/tree_common"
corpus
"$VOUCH" train --no-calibrate -t ner -a perceptron -n 1 -q -o m.vouch train.txt
cp m.vouch same.vouch
try "$VOUCH" trade
try "$VOUCH" trade -m m.vouch
try "$VOUCH" trade -m m.vouch test.txt
try "$VOUCH" trade -m m.vouch -c none test.txt
try "$VOUCH" trade -m m.vouch -c kd-pc test.txt
try "$VOUCH" trade -m m.vouch -c gamma --direction up test.txt
try "$VOUCH" trade -m m.vouch -c gamma --unit letters test.txt
try "$VOUCH" trade -m m.vouch -c gamma --drop letters test.txt
try "$VOUCH" trade -m m.vouch -c gamma --precision 95 test.txt
try "$VOUCH" trade -m m.vouch -c gamma --precision 0.9 --recall 0.9 test.txt
try "$VOUCH" trade -m m.vouch -c gamma -o t.vouch test.txt
try "$VOUCH" trade -m m.vouch -c gamma --recall 0.5 -o - test.txt
try "$VOUCH" trade -m m.vouch -c gamma --in-place test.txt
try "$VOUCH" trade -m m.vouch -c gamma --recall 0.5 -o t.vouch --in-place test.txt
try "$VOUCH" trade -m - -c gamma --recall 0.5 --in-place test.txt
try "$VOUCH" trade -m m.vouch -c gamma --recall 0.5 -o missing/t.vouch test.txt
try "$VOUCH" trade -m m.vouch -c gamma --recall 0.5 -o test.txt test.txt
try "$VOUCH" trade -m m.vouch -c gamma --csv test.txt test.txt
try "$VOUCH" trade -m m.vouch -c gamma --plot missing/curve.svg test.txt
try "$VOUCH" trade -m missing test.txt
try "$VOUCH" trade -m m.vouch -c gamma missing
: >empty
try "$VOUCH" trade -m m.vouch -c gamma empty
echo 'no labels at all here' >plain
try "$VOUCH" trade -m m.vouch -c gamma plain
cut -d ' ' -f 1,4 test.txt >narrow
try "$VOUCH" trade -m m.vouch -c gamma narrow
echo "out of reach"
# Without -o or --in-place the point is printed, and nothing is written.
"$VOUCH" trade -m m.vouch -c gamma --precision 0.1 test.txt 2>&1 | grep "^chosen\|^the model"
try "$VOUCH" trade -q -m m.vouch -c gamma,delta --recall 0.99 test.txt
cmp m.vouch same.vouch
echo "other models"
"$VOUCH" sample --kind pos -n 30 >pos.txt
"$VOUCH" train --no-calibrate -t pos -n 1 -q -o pos.vouch pos.txt
try "$VOUCH" trade -m pos.vouch -c gamma pos.txt
"$VOUCH" sample --kind dep -n 10 >trees.conllu
"$VOUCH" train --no-calibrate --task dep --bits 12 -n 1 -q -o d.vouch trees.conllu
try "$VOUCH" trade -m d.vouch -c gamma trees.conllu
echo "tagging"
try "$VOUCH" tag -m m.vouch --operating-point test.txt
"$VOUCH" trade -q -m m.vouch --in-place -c gamma --precision 0.1 test.txt | grep ^chosen
try "$VOUCH" tag -m m.vouch --operating-point --threshold 0.5 test.txt
try "$VOUCH" tag -m m.vouch --operating-point --confidence gamma test.txt
"$VOUCH" dump m.vouch | sed 's/"direction":"recall"/"direction":"forth"/' | "$VOUCH" load -o bad.vouch
try "$VOUCH" tag -m bad.vouch --operating-point test.txt
"$VOUCH" info bad.vouch | grep point
"$VOUCH" tag -q -m bad.vouch test.txt | head -n 1

# A guarantee needs a figure, and more sentences than these; nothing is written then.
try "$VOUCH" trade -m m.vouch --guarantee 0.9 test.txt
try "$VOUCH" trade -m m.vouch --guarantee 1 --precision 0.8 test.txt
try "$VOUCH" trade -m m.vouch --guarantee 0.9 --precision 1 test.txt
try "$VOUCH" trade -q -m m.vouch -c gamma --guarantee 0.9 --precision 0.99 -o none.vouch test.txt
[ ! -e none.vouch ] || echo "written all the same"
