# A simulation with trees: heads and relations, or heads alone.
. "$CLI/tree_common"
treebank
simulate()
{
    "$VOUCH" active -q -t dep --bits 14 --pool train.conllu --test test.conllu --initial 10 --candidates 50 --choose 5 \
        --every 20 --most 50 --passes 2 $THREADS "$@"
}
simulate -c kd-fix,random
simulate -c delta,random --unlabelled --diversity 0.3
# A part-of-speech tagger has an accuracy.
"$VOUCH" sample --kind np -n 60 >np.txt
cut -d ' ' -f 1,2 np.txt >pos.txt
"$VOUCH" active -q -t pos --pool pos.txt --test pos.txt --initial 5 --every 10 --most 25 --passes 1 -c gamma,random
