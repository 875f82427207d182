# Heads alone: DEPREL becomes "_", and there is no LAS.
. "$CLI/tree_common"
treebank
train_small --no-calibrate -q --unlabelled -a pa -o m.vouch train.conllu
"$VOUCH" parse -m m.vouch test.conllu | grep '^[0-9]' | cut -f 8 | sort -u
"$VOUCH" eval -m m.vouch test.conllu
"$VOUCH" eval --json -m m.vouch test.conllu | sed -n '1,/}/p'
"$VOUCH" info m.vouch | grep '^features'
