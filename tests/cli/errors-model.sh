# A file that is no model, or no longer one.
. "$CLI/common"
"$VOUCH" sample -n 50 >train.txt
learn -t ner -n 1 --no-calibrate -o m.vouch train.txt
for size in 0 1 63 64 1000 10000; do
    head -c $size m.vouch >cut.vouch
    echo "$size bytes:"
    "$VOUCH" tag -m cut.vouch train.txt 2>&1 | sed 's/expected [0-9]* bytes/expected N bytes/'
done
(cat m.vouch; echo) >long.vouch
"$VOUCH" info long.vouch 2>&1 | sed 's/expected [0-9]* bytes, found [0-9]*/expected N bytes, found N+1/'
try "$VOUCH" tag -m train.txt train.txt
try "$VOUCH" tag -m missing train.txt
try "$VOUCH" eval -m missing train.txt
try "$VOUCH" tag -m . train.txt
try "$VOUCH" info missing
try "$VOUCH" dump missing
ls -A
