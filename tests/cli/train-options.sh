# Every learner option has its effect, and is recorded.
. "$CLI/common"
corpus
train()
{
    "$VOUCH" train --no-calibrate -t ner -n 2 -q $THREADS -o m.vouch "$@" train.txt
    echo "$*"
    "$VOUCH" info m.vouch | grep -e ^voice -e ^command
    "$VOUCH" eval -q -m m.vouch test.txt | sed -n 2p
}
train -a cw --phi 0.2
train -a cw --covariance inverse
train -a cw --covariance exact
train -a cw --variance 0.1
train -a cw -k 1
train -a pa -C 0.001
train -a pa -k 3
train -a crf --rate 0.02
train -a crf --l2 20
train -a perceptron --seed 7
