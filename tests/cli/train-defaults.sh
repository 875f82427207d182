# What 0 stands for in --phi and --rate depends on the task; the help tells what, and the model records the value.
. "$CLI/tree_common"
corpus
treebank
voices()
{
    "$VOUCH" info "$1" | grep ^voice
}
"$VOUCH" train --no-calibrate -t ner -a cw+crf -n 1 -q -o labels.vouch train.txt
train_small -q -a cw+crf --unlabelled -o trees.vouch train.conllu
voices labels.vouch
voices trees.vouch
for command in train eval review active; do
    "$VOUCH" $command --help | tr -s ' \n' ' ' | grep -o -- '--\(phi\|rate\) X [^]]*]'
done

echo "going on keeps the model's; 0 is the task's again:"
train_small -q -a crf --unlabelled --rate 0.4 -o m.vouch train.conllu
for rate in "" "--rate 0"; do
    "$VOUCH" train --from m.vouch -q -n 1 $rate -o n.vouch test.conllu
    voices n.vouch
done
