# An output that cannot be written, or that is named twice, is refused before any work: nothing is read or learned.
. "$CLI/tree_common"
corpus
treebank
"$VOUCH" train --no-calibrate -t ner -a cw+crf -n 1 -q -o m.vouch train.txt
"$VOUCH" dump m.vouch >text
mkdir folder

for bad in folder missing/file; do
    echo "$bad:"
    try "$VOUCH" train -t ner -o $bad train.txt
    try "$VOUCH" train -t ner --log $bad -o new.vouch train.txt
    try "$VOUCH" tune -m m.vouch -o $bad test.txt
    try "$VOUCH" review -t ner -o $bad train.txt
    try "$VOUCH" active -t ner --pool train.txt --test test.txt --csv $bad
    try "$VOUCH" active -t ner --pool train.txt --test test.txt --plot $bad
    try "$VOUCH" active next -m m.vouch -c delta --pool test.txt -o $bad
    try "$VOUCH" trade -m m.vouch -c gamma --recall 0.01 -o $bad test.txt
    try "$VOUCH" trade -m m.vouch -c gamma --csv $bad test.txt
    try "$VOUCH" eval -m m.vouch -c gamma --report $bad test.txt
    try "$VOUCH" split -o $bad train.txt
    try "$VOUCH" split -o new.txt --rest $bad train.txt
    try "$VOUCH" sample -o $bad
    try "$VOUCH" dump -o $bad m.vouch
    try "$VOUCH" load -o $bad text
done
try "$VOUCH" eval -m m.vouch -c gamma --csv train.txt test.txt
try "$VOUCH" eval -m m.vouch -c gamma --csv missing/folder test.txt

echo "one file for two outputs:"
try "$VOUCH" train -t ner --log new.vouch -o new.vouch train.txt
try "$VOUCH" train -t ner --log folder/../new.vouch -o new.vouch train.txt
touch there
ln there linked
try "$VOUCH" train -t ner --log there -o linked train.txt
try "$VOUCH" split -o new.txt --rest ./new.txt train.txt
try "$VOUCH" trade -m m.vouch -c gamma --csv curve.dat --plot curve.svg test.txt
try "$VOUCH" train --no-calibrate -t ner -n 1 -q --log /dev/null -o /dev/null train.txt
ls -A . folder
