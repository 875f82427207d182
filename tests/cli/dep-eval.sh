# How well trees are found: a table, more of it with -v, and JSON.
. "$CLI/tree_common"
treebank
train_small --no-calibrate -q -o m.vouch train.conllu
echo "table:"
"$VOUCH" eval $THREADS -m m.vouch test.conllu
echo "verbose:"
"$VOUCH" eval -v $THREADS -m m.vouch test.conllu
echo "JSON:"
"$VOUCH" eval --json $THREADS -m m.vouch test.conllu >json
sed -n '1,/"relations"/p' json
sed -n '/"nsubj"/,/}/p' json
echo "of itself:"
"$VOUCH" parse -m m.vouch test.conllu >parsed.conllu
"$VOUCH" eval -m m.vouch parsed.conllu
echo "two files count as one:"
cat test.conllu parsed.conllu >both.conllu
"$VOUCH" eval -m m.vouch both.conllu >both
"$VOUCH" eval -m m.vouch test.conllu parsed.conllu | cmp - both
