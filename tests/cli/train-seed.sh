# The same seed gives the same bytes, on any number of threads; another seed gives others.
. "$CLI/common"
"$VOUCH" sample -n 200 >train.txt
for algorithm in cw pa perceptron crf; do
    learn -t ner -a $algorithm -n 2 --no-calibrate -o one.vouch train.txt
    learn -t ner -a $algorithm -n 2 --no-calibrate -o two.vouch train.txt
    "$VOUCH" train --no-calibrate -t ner -a $algorithm -n 2 -q -j 2 -o threads.vouch train.txt
    learn -t ner -a $algorithm -n 2 --seed 2 --no-calibrate -o other.vouch train.txt
    cmp one.vouch two.vouch
    cmp one.vouch threads.vouch
    "$VOUCH" dump one.vouch | grep -v ^header >one
    "$VOUCH" dump other.vouch | grep -v ^header >other
    cmp -s one other && echo "$algorithm: the seed does not matter"
    echo "$algorithm: $("$VOUCH" info one.vouch | grep ^command)"
done
"$VOUCH" train --no-calibrate -t ner -a cw+pa -n 2 --tune -q -o one.vouch train.txt
"$VOUCH" train --no-calibrate -t ner -a cw+pa -n 2 --tune -q -j 2 -o threads.vouch train.txt
cmp one.vouch threads.vouch
