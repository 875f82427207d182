# The same figures as JSON.
. "$CLI/common"
corpus
learn -t ner -n 3 --no-calibrate -o m.vouch train.txt
"$VOUCH" eval --json -m m.vouch $THREADS test.txt
echo "labels:"
printf 'a N N\nb V N\n' | "$VOUCH" eval --json
"$VOUCH" eval --json --folds 2 -t ner -a cw,pa -n 1 $THREADS train.txt
