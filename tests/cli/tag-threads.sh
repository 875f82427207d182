# Any number of threads writes the same file, longer than one batch.
. "$CLI/common"
"$VOUCH" sample -n 200 >train.txt
learn -t ner -n 1 --no-calibrate -o m.vouch train.txt
"$VOUCH" sample -n 2500 --first 200 >long.txt
"$VOUCH" tag -m m.vouch long.txt >one
for threads in 2 3 8; do
    "$VOUCH" tag -m m.vouch -j $threads long.txt | cmp - one
    "$VOUCH" eval -q -m m.vouch -j $threads long.txt >score.$threads
    "$VOUCH" eval -q -m m.vouch long.txt | cmp - score.$threads
done
cksum <one | cut -d ' ' -f 2
