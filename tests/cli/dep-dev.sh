# --dev measures heads, and relations given the right heads; --log is JSON lines.
. "$CLI/tree_common"
treebank
train_small $THREADS -a perceptron --dev test.conllu --log log -o m.vouch train.conllu 2>said
sed 's/, [0-9.]* s$//' said
sed 's/"seconds":[0-9.e-]*/"seconds":S/' log
"$VOUCH" info --json m.vouch | sed -n '/"dev"/,/^  }/p'
