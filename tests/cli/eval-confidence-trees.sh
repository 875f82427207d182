# What the confidence in heads, in relations and in whole trees is worth.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/tree_common"
"$VOUCH" sample --kind dep -n 40 >train.conllu
"$VOUCH" sample --kind dep -n 30 --first 150 --unseen-names >test.conllu
"$VOUCH" train --task dep --bits 12 -n 2 -q -o m.vouch train.conllu
"$VOUCH" eval -m m.vouch -c gamma,delta $THREADS test.conllu
"$VOUCH" eval -m m.vouch $THREADS test.conllu | sed -n '/^confidence/,$p'
"$VOUCH" eval -m m.vouch --json --csv curves $THREADS test.conllu | sed -n '/"confidence": {/,/"methods"/p'
ls curves
