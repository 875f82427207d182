# --cutoff leaves out rare features, and nothing else.
. "$CLI/common"
corpus
for cutoff in 1 2 5 1000; do
    "$VOUCH" train --no-calibrate -t ner -n 2 -q --cutoff $cutoff $THREADS -o m$cutoff.vouch train.txt
    "$VOUCH" info m$cutoff.vouch | grep ^features
    "$VOUCH" eval -q -m m$cutoff.vouch test.txt | sed -n 2p
done
learn -t ner -n 2 --no-calibrate -o usual.vouch train.txt
"$VOUCH" dump m1.vouch | grep -v ^header >one
"$VOUCH" dump usual.vouch | grep -v ^header | cmp - one
