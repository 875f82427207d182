# Parsers: every algorithm learns, the same seed gives the same bytes, and every tree has one root.
# Release only: slow under sanitizers, which reach the same code in unit tests and in dep-parse.
. "$CLI/tree_common"
treebank
for algorithm in cw pa perceptron crf; do
    echo "$algorithm:"
    train_small $THREADS -a $algorithm -o m.vouch train.conllu 2>said
    sed 's/, [0-9.]* s$//' said
    train_small $THREADS -a $algorithm -q -o again.vouch train.conllu
    cmp m.vouch again.vouch
    "$VOUCH" eval $THREADS -m m.vouch test.conllu | sed -n '/^UAS/p; /^LAS /p; /one root/p'
done
