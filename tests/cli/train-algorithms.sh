# Each algorithm from training to its score; the numbers are the same everywhere.
. "$CLI/common"
corpus
for algorithm in crf cw pa perceptron; do
    "$VOUCH" train --no-calibrate -t ner -a $algorithm -n 3 $THREADS -o m.vouch train.txt 2>said
    sed 's/, [0-9.]* s$//' said
    "$VOUCH" eval -m m.vouch $THREADS test.txt 2>&1
done
