# Cross-validation of several algorithms on the same parts, compared by t-tests.
. "$CLI/common"
corpus
try "$VOUCH" eval --folds 5 -t ner -a cw,pa,perceptron,crf -n 2 $THREADS train.txt
try "$VOUCH" eval --folds 3 -t ner -a pa -n 2 --seed 2 $THREADS train.txt
try "$VOUCH" eval --folds 3 -t pos --gold 2 -a cw,crf -n 2 $THREADS train.txt test.txt
try "$VOUCH" eval --folds 201 -t ner -n 1 $THREADS train.txt
