# What is in a parser and where it came from.
. "$CLI/tree_common"
treebank
train_small -q --seed 5 -o m.vouch train.conllu
"$VOUCH" info m.vouch | sed 's/^written by  vouch .*/written by  vouch V/; s/^file .*/file N bytes/'
"$VOUCH" info --verify m.vouch | tail -n 1
"$VOUCH" info --json m.vouch | sed -n '/"parameters"/,/^  }/p; /"layers"/,/^  ]/p; /"seen"/p; /"features"/p'
