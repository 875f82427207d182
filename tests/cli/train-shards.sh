# Learning in shards: another number of threads gives the same bytes, another number of shards another model.
# Release only: slow under sanitizers, which learn in shards in a unit test.
. "$CLI/tree_common"
corpus
treebank
for algorithm in cw crf; do
    "$VOUCH" train --no-calibrate -t ner -a $algorithm -n 3 -q -o plain.vouch train.txt
    for shards in 1 3; do
        for threads in 1 2 3; do
            "$VOUCH" train --no-calibrate -t ner -a $algorithm -n 3 -q --shards $shards -j $threads -o $threads.vouch \
                train.txt
        done
        cmp 1.vouch 2.vouch
        cmp 1.vouch 3.vouch
        cmp -s 1.vouch plain.vouch && echo "$algorithm: $shards shards are as none"
        "$VOUCH" eval -m 3.vouch -c none test.txt | sed -n 2p
    done
done
"$VOUCH" info 3.vouch | grep ^command
echo "== calibrated, and a tree"
"$VOUCH" train -t ner -n 3 -q --shards 4 -o 1.vouch train.txt
"$VOUCH" train -t ner -n 3 -q --shards 4 -j 2 -o 2.vouch train.txt
cmp 1.vouch 2.vouch
train_small -q --shards 4 -o 1.vouch train.conllu
train_small -q --shards 4 -j 2 -o 2.vouch train.conllu
cmp 1.vouch 2.vouch
"$VOUCH" eval -q -m 2.vouch -c none test.conllu | grep AS
echo "== refused"
"$VOUCH" train -t ner --shards 0 -o 1.vouch train.txt 2>&1
