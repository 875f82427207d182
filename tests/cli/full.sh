# Output that does not fit on the disk is a failure, with a message.
. "$CLI/common"
"$VOUCH" sample -n 50 >train.txt
learn -t ner -n 1 --no-calibrate -o m.vouch train.txt
full()
{
    status=0
    "$@" 2>&1 >/dev/full || status=$?
    echo "exit $status"
}
full "$VOUCH" help
full "$VOUCH" version
full "$VOUCH" tag --help
full "$VOUCH" tag -m m.vouch train.txt
full "$VOUCH" tag -m m.vouch -j 2 train.txt
full "$VOUCH" eval -q -m m.vouch train.txt
full "$VOUCH" eval --json -m m.vouch train.txt
full "$VOUCH" sample -n 10
full "$VOUCH" sample -n 20000
full "$VOUCH" info m.vouch
full "$VOUCH" dump m.vouch
try "$VOUCH" train --no-calibrate -t ner -n 1 -q -o /dev/full train.txt
try "$VOUCH" tag -m m.vouch -o /dev/full train.txt
