# Several voices in one parser: the first answers.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/tree_common"
treebank
train_small -q -a cw+crf -o two.vouch train.conllu
train_small -q -a cw -o one.vouch train.conllu
"$VOUCH" parse -m two.vouch test.conllu >two
"$VOUCH" parse -m one.vouch test.conllu | cmp - two
"$VOUCH" info two.vouch | sed -n '/^task/p; /^features/p; /^voice/s/{.*//p; /^trained/s/, digest.*//p'
"$VOUCH" dump two.vouch >text
"$VOUCH" load -o again.vouch text
cmp two.vouch again.vouch
sed 's/\t.*//' text | sort -u
