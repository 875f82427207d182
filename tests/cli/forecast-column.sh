# A forecast for the labels of a column of CoNLL-U takes --column; and counts one sentence as one.
. "$CLI/common"
"$VOUCH" sample --kind dep -n 200 >train.conllu
"$VOUCH" sample --kind dep -n 60 --first 200 >new.conllu
learn -t pos --column upos -n 2 -o upos.vouch train.conllu
"$VOUCH" forecast -m upos.vouch new.conllu >found
"$VOUCH" forecast -m upos.vouch --column upos new.conllu | cmp - found && echo "the same column"
try "$VOUCH" forecast -m upos.vouch --column xpos new.conllu
try "$VOUCH" forecast -m upos.vouch --column xpos --labelled new.conllu new.conllu
awk '{ print } !NF { exit }' new.conllu >one.conllu
"$VOUCH" forecast -m upos.vouch one.conllu | grep -e 'sentence' -e 'never seen'
