# Methods that there are not, nothing to measure, and nowhere to write.
. "$CLI/common"
corpus
learn -t ner -a perceptron -n 1 --no-calibrate -o m.vouch train.txt
try "$VOUCH" eval -q -m m.vouch -c brew test.txt
try "$VOUCH" eval -q -m m.vouch -c kd-pc test.txt
try "$VOUCH" eval -q -m m.vouch --csv curves test.txt
try "$VOUCH" eval -q -m m.vouch --raw test.txt
try "$VOUCH" eval -q -c delta test.txt
try "$VOUCH" eval -q --folds 2 -t ner --csv curves test.txt
try "$VOUCH" eval -q -m m.vouch -c delta --csv test.txt test.txt
try "$VOUCH" eval -q -m m.vouch -c delta --csv no/such/folder test.txt
echo "not calibrated, nothing asked:"
"$VOUCH" eval -q -m m.vouch test.txt
echo "not calibrated, asked for:"
"$VOUCH" eval -q -m m.vouch -c delta,gamma --resamples 0 test.txt | sed -n '/^words/,/^$/p'
