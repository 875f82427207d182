# A log that does not fit on the disk is a failure, too.
"$VOUCH" sample -n 50 >train.txt
status=0
"$VOUCH" train --no-calibrate -t ner -n 1 -q --log /dev/full -o m.vouch train.txt 2>said || status=$?
echo "exit $status"
grep -o "/dev/full" said
