# Misspelt names: the nearest one is offered, if one is near.
. "$CLI/common"
"$VOUCH" sample -n 40 >train.txt
learn -t ner -n 1 --no-calibrate -o m.vouch train.txt

echo "commands:"
try "$VOUCH" trian
try "$VOUCH" help evaluate
try "$VOUCH" help confidense
try "$VOUCH" versoin

echo "options:"
try "$VOUCH" train --algoritm cw
try "$VOUCH" train --no-calibarte
try "$VOUCH" train --ouput=m.vouch
try "$VOUCH" tag --treads 2
try "$VOUCH" train --zebra
echo "never the opposite:"
try "$VOUCH" train --calibrate
try "$VOUCH" train --no-tune
try "$VOUCH" train --labelled
try "$VOUCH" train --no-calibrat
try "$VOUCH" train --unlabeled

echo "values:"
train()
{
    try "$VOUCH" train -o new.vouch "$@" train.txt
}
train -t nre
train -t NER
train -t ner -a crf+perceptrom
train -t ner -a vw
train -t ner -a svm
train -t ner --format colln
train -t ner --features chunks
train -t ner --learn-as bieos
train -t ner --covariance inverted
train -t ner --grid papper
train -t dep --multi-root attached
try "$VOUCH" tune -m m.vouch --grid quik train.txt
try "$VOUCH" tag -m m.vouch --on-error reprot train.txt
try "$VOUCH" eval --folds 2 -t ner -a cw,qa train.txt
try "$VOUCH" review -t ner --level sentences train.txt
try "$VOUCH" review -t ner --as json train.txt
try "$VOUCH" trade -m m.vouch --direction presicion train.txt
try "$VOUCH" sample --kind dpe
try "$VOUCH" experiment rankings
for method in gama kdfix comittee 'gama@crf' quality; do
    try "$VOUCH" tag -m m.vouch -c $method train.txt
done
