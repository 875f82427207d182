# Ctrl-C twice ends the program at once; no file is left behind.
. "$CLI/common"
"$VOUCH" sample -n 1000 >train.txt
# Hundreds of answers a sentence make a pass last long enough to be caught in it.
"$VOUCH" train --no-calibrate -t ner -a pa -k 300 -o m.vouch train.txt 2>said &
wait_for said '^read'
kill -INT $!
wait_until does_not_catch $!
kill -INT $! || echo "the first one was enough"
status=0
wait $! || status=$?
[ $status -gt 128 ] && echo "killed"
rm said
ls -A
