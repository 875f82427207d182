# Sentences with several roots: left out, kept, or made trees with one root; the tree that is found has one root.
. "$CLI/tree_common"
two_roots >two.conllu
for what in skip keep attach; do
    train_small -a perceptron --multi-root $what -o $what.vouch two.conllu 2>said
    sed -n '1,2p' said
done
train_small -a perceptron -o default.vouch two.conllu 2>said
sed -n 2p said
"$VOUCH" parse -m keep.vouch two.conllu | grep -c '	0	root	'
"$VOUCH" eval -m keep.vouch two.conllu | grep 'root '

echo "attached is the same as a file in which they are attached:"
awk -F '\t' -v OFS='\t' '
    NF == 0 { first = 0; print; next }
    $7 == 0 && first { $7 = first }
    $7 == 0 { first = $1 }
    { print }' two.conllu >one.conllu
diff two.conllu one.conllu || true
train_small -q -a cw+crf -o file.vouch one.conllu
train_small -q -a cw+crf --multi-root attach -o option.vouch two.conllu
for model in file option; do
    "$VOUCH" dump $model.vouch | grep -v ^header >$model
done
cmp file option

head -n 3 two.conllu >only.conllu
try train_small -q -o m.vouch only.conllu
try train_small -q --multi-root maybe -o m.vouch two.conllu
