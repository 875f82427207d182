# Misuse: a message on standard error, nothing on standard output, status 2.
. "$CLI/common"
: >train.txt
try "$VOUCH" frobnicate
try "$VOUCH" help frobnicate
try "$VOUCH" train
try "$VOUCH" train -o m.vouch
try "$VOUCH" train -o m.vouch train.txt
try "$VOUCH" train -t verbs -o m.vouch train.txt
try "$VOUCH" train -t ner --no-calibrate --plain-draws -o m.vouch train.txt
try "$VOUCH" train -t ner train.txt
try "$VOUCH" train -t ner -o m.vouch --features words train.txt
try "$VOUCH" train -t ner -o m.vouch --features ner --template t train.txt
try "$VOUCH" train -t ner -o m.vouch --learn-as iob3 train.txt
try "$VOUCH" train -t ner -o m.vouch -a svm train.txt
try "$VOUCH" train -t ner -o m.vouch -a cw+cw train.txt
try "$VOUCH" train -t ner -o m.vouch -a cw+ train.txt
try "$VOUCH" train -t ner -o m.vouch --covariance round train.txt
try "$VOUCH" train -t ner -o m.vouch --format xml train.txt
try "$VOUCH" train -t ner -o m.vouch -n 0 train.txt
try "$VOUCH" train -t ner -o m.vouch -n 3x train.txt
try "$VOUCH" train -t ner -o m.vouch -n '' train.txt
try "$VOUCH" train -t ner -o m.vouch -n 99999999999999999999 train.txt
try "$VOUCH" train -t ner -o m.vouch -C 0 train.txt
try "$VOUCH" train -t ner -o m.vouch -C nan train.txt
try "$VOUCH" train -t ner -o m.vouch --phi much train.txt
try "$VOUCH" train -t ner -o m.vouch --seed -1 train.txt
try "$VOUCH" train -t ner -o m.vouch -j 0 train.txt
try "$VOUCH" train --no-such-option
try "$VOUCH" train -Z
try "$VOUCH" train --passes
try "$VOUCH" train -n
try "$VOUCH" train --tune=yes
try "$VOUCH" tag
try "$VOUCH" tag -m m.vouch a b
try "$VOUCH" tag -m m.vouch --confidence delta
try "$VOUCH" tag -m m.vouch --format xml
try "$VOUCH" eval -m m.vouch
try "$VOUCH" eval --folds 3 --task ner
try "$VOUCH" eval --folds 3 train.txt
try "$VOUCH" eval --folds 1 --task ner train.txt
try "$VOUCH" eval --folds 3 --task ner -a cw+pa train.txt
try "$VOUCH" sample --kind verbs
try "$VOUCH" sample 100
try "$VOUCH" sample --noise 2
try "$VOUCH" info
try "$VOUCH" info a b
try "$VOUCH" info -m a b
try "$VOUCH" dump
try "$VOUCH" load
try "$VOUCH" load -o m.vouch a b
ls -A
