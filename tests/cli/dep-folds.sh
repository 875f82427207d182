# Parsers compared by cross-validation: the share of right heads.
. "$CLI/tree_common"
"$VOUCH" sample --kind dep -n 60 >train.conllu
"$VOUCH" eval $THREADS -q --folds 3 --task dep --bits 14 -n 2 -a cw,pa,perceptron train.conllu
"$VOUCH" eval $THREADS -q --folds 2 --task dep --bits 14 -n 2 -a crf --json train.conllu
