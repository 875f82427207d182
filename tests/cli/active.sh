# A simulation of active learning: curves, what they come to, and the same bytes for any number of threads.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/common"
"$VOUCH" sample -n 150 >pool.txt
"$VOUCH" sample -n 60 --first 150 --unseen-names >test.txt
simulate()
{
    "$VOUCH" active -t ner --pool pool.txt --test test.txt --initial 10 --candidates 60 --choose 5 --every 20 \
        --most 70 --passes 2 $THREADS "$@"
}

# All of the usual methods, once.
simulate 2>said
sed 's/^[0-9.]* s; //' said

# Several times, with intervals; two voices, and methods of all kinds.
simulate -q -a cw+crf -c gamma@crf,kd-fix/mean,kd-pc/bald,committee,random --repeats 3 --diversity 0.5

# Without random there is nothing to compare with. Half of the pool is more than there is: all ways end alike.
simulate -c delta,kd-fix+delta --most 150 --every 70 2>said
sed 's/^[0-9.]* s; //' said

# What cannot be drawn is not among the usual methods.
simulate -q -a pa --draws 10 --every 60 | sed -n '3p'

# Learning anew in every round is another simulation; so is another seed, and so are other draws.
simulate -q -c kd-fix --csv a.csv >/dev/null
simulate -q -c kd-fix --csv b.csv --scratch >/dev/null
simulate -q -c kd-fix --csv c.csv --seed 2 >/dev/null
simulate -q -c kd-fix --csv d.csv --plain-draws >/dev/null
cat a.csv
cmp -s a.csv b.csv || echo 'learned anew'
cmp -s a.csv c.csv || echo 'another seed'
cmp -s a.csv d.csv || echo 'other draws'
simulate -q -c kd-fix,random --repeats 2 --most 30 --json
