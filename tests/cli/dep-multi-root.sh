# Sentences with several roots: left out, unless they are to be kept; the tree that is found has one root.
. "$CLI/tree_common"
two_roots >two.conllu
for what in skip keep; do
    train_small -a perceptron --multi-root $what -o $what.vouch two.conllu 2>said
    sed -n '1,2p' said
done
train_small -a perceptron -o default.vouch two.conllu 2>said
sed -n 2p said
"$VOUCH" parse -m keep.vouch two.conllu | grep -c '	0	root	'
"$VOUCH" eval -m keep.vouch two.conllu | grep 'root '
head -n 3 two.conllu >only.conllu
try train_small -q -o m.vouch only.conllu
try train_small -q --multi-root maybe -o m.vouch two.conllu
