# Choosing by entities that are expected and by answers that change from pass to pass, and what labelling costs.
# Release only: slow under sanitizers, which reach the same code in unit tests.
. "$CLI/tree_common"
"$VOUCH" sample -n 120 >pool.txt
"$VOUCH" sample -n 40 --first 120 --unseen-names >test.txt
simulate()
{
    "$VOUCH" active -q -t ner -a crf --pool pool.txt --test test.txt --initial 10 --candidates 50 --choose 10 \
        --every 20 --most 50 --passes 3 $THREADS "$@"
}
ways=gamma/entities,gamma/density,committee/density,fluctuation,fluctuation/mean,random
simulate -c $ways --csv curves.csv | sed -n '3,6p'

# By entities, there are more of them in as many sentences; by density, in as many words. A second for each entity:
simulate -c $ways --cost 0,0,1 --csv entities.csv >/dev/null
paste -d , curves.csv entities.csv | awk -F , '
    $3 == 50 { entities[$1] = $11; rate[$1] = $11 / $4 }
    END {
        if (entities["gamma/entities"] > entities["random"]) print "more entities"
        if (rate["gamma/density"] > rate["random"]) print "more entities a word"
    }'

# The cost is what it is said to be: only the seconds depend on it.
simulate -c random --cost 100,10,1 --csv dear.csv >/dev/null
grep '^random' entities.csv | paste -d , - dear.csv | grep -c . >/dev/null
sed 1d dear.csv >dear
grep '^random' entities.csv | paste -d , - dear | awk -F , '
    { off = $11 - (100 * $3 + 10 * $4 + $5); if (off > 0.11 || off < -0.11) print "wrong: " $0 }
    END { print NR, "checked" }'

# Trees fluctuate, and have no entities.
treebank
"$VOUCH" active -q -t dep --bits 14 --unlabelled -a crf --pool train.conllu --test test.conllu --initial 10 \
    --candidates 30 --choose 10 --every 20 --most 30 --passes 2 $THREADS -c fluctuation/mean,random | sed -n '3,6p'
try "$VOUCH" active -q -t dep --pool train.conllu --test test.conllu -c gamma/density
try "$VOUCH" active -q -t ner --pool pool.txt --test test.txt -c fluctuation --passes 1
try "$VOUCH" active -q -t ner --pool pool.txt --test test.txt -c fluctuation/bald
try "$VOUCH" active -q -t ner --pool pool.txt --test test.txt -c delta/density
try "$VOUCH" active -q -t ner --pool pool.txt --test test.txt --cost 1,2

# Next: a model that is asked for entities, with what it costs to label them.
"$VOUCH" train -q -t ner -a crf -n 3 --no-calibrate -o m.vouch pool.txt
for by in gamma gamma/mean gamma/length gamma/entities gamma/density; do
    "$VOUCH" active next -m m.vouch --pool test.txt -n 10 -c $by $THREADS --cost 0,0,60 2>said >chosen.txt
    sed 's/.*by/by/; s/:.*//' said
done
"$VOUCH" active next -q -m m.vouch --pool test.txt -n 10 -c gamma/density $THREADS --cost 9,9,9 | cmp - chosen.txt
try "$VOUCH" active next -m m.vouch --pool test.txt -c fluctuation
try "$VOUCH" active next -m m.vouch --pool test.txt -c delta/entities
try "$VOUCH" active next -m m.vouch --pool test.txt -c gamma --cost dear
"$VOUCH" train -q -t dep --bits 14 -a crf -n 2 --unlabelled --no-calibrate -o t.vouch train.conllu
try "$VOUCH" active next -m t.vouch --pool test.conllu -c gamma/density

# Of trees, all heads are to be set, or those corrected that are probably wrong.
for how in '' --predict; do
    "$VOUCH" active next -m t.vouch --pool test.conllu -n 5 -c gamma $how $THREADS --cost 0,0,60 2>&1 >chosen.conllu |
        sed 's/.*by/by/; s/:.*//'
    grep -c '^[0-9]' chosen.conllu
done
