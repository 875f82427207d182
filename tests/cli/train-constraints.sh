# Answers keep to the scheme of their labels, whatever the learner and the scheme, unless --no-constraints leaves them
# in any order. What a model does is in its header: it stays with --from, dump and load.
. "$CLI/common"
corpus
# Tells whether some label of the last column is inside of a chunk that has not begun.
illegal()
{
    "$VOUCH" tag -m "$1" --confidence none $THREADS test.txt |
        awk 'NF == 0 { last = ""; next }
             { here = $NF; type = substr(here, 3) }
             here ~ /^[IE]/ && (last !~ /^[BI]/ || substr(last, 3) != type) { wrong++ }
             { last = here }
             END { print (wrong > 0 ? "some are not legal" : "all are legal") }'
}
for learner in perceptron cw crf; do
    for without in '' --no-constraints; do
        learn --no-calibrate -t ner -n 1 -a $learner --use 1 $without -o m.vouch train.txt
        echo "$learner $without: $(illegal m.vouch); $("$VOUCH" info m.vouch | grep ^scheme)"
    done
done
learn --no-calibrate -t ner -n 1 -a perceptron --use 1 --learn-as bioes -o bioes.vouch train.txt
echo "bioes: $(illegal bioes.vouch); $("$VOUCH" info bioes.vouch | grep ^scheme)"

learn --no-calibrate -t ner -n 1 -a perceptron --use 1 -o m.vouch train.txt
learn --no-calibrate -t ner -n 1 -a perceptron --use 1 --no-constraints -o any.vouch train.txt
for from in m any; do
    "$VOUCH" train -q --from $from.vouch -n 1 --no-calibrate -o on.vouch test.txt
    echo "from $from: $("$VOUCH" info on.vouch | grep ^scheme)"
    "$VOUCH" dump $from.vouch | "$VOUCH" load -o same.vouch
    cmp $from.vouch same.vouch
done
"$VOUCH" train -q --from m.vouch -n 1 --no-calibrate --no-constraints -o on.vouch test.txt
echo "from m without: $("$VOUCH" info on.vouch | grep ^scheme)"

# Where no chunk of a type could begin, nothing is ruled out.
sed 's/B-LOC/I-LOC/' train.txt >begun.txt
learn --no-calibrate -t ner -n 1 -a perceptron --use 1 --learn-as keep -o odd.vouch begun.txt
"$VOUCH" info odd.vouch | grep ^scheme
