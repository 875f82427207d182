# However many threads, the output is the same.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/tree_common"
treebank
train_small -q -a pa -o m.vouch train.conllu
"$VOUCH" sample --kind dep -n 1500 --first 5000 >many.conllu
"$VOUCH" parse -m m.vouch many.conllu >one
for threads in 2 3 8; do
    "$VOUCH" parse -j $threads -m m.vouch many.conllu | cmp - one
done
"$VOUCH" eval -m m.vouch many.conllu >one
"$VOUCH" eval -j 2 -m m.vouch many.conllu | cmp - one
sed -n '1p; /one root/p' one
