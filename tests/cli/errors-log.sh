# A log that cannot be opened is a failure, not a misuse.
. "$CLI/common"
"$VOUCH" sample -n 50 >train.txt
status=0
"$VOUCH" train --no-calibrate -t ner -n 1 -q --log missing/log -o m.vouch train.txt 2>said || status=$?
grep -o 'missing/log' said
echo "exit $status"
ls -A
