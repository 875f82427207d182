# Ctrl-C leaves the old model as it was, and no other file.
. "$CLI/common"
"$VOUCH" sample -n 100 >train.txt
"$VOUCH" sample -n 5000 --first 100 >dev.txt
learn -t ner -a cw+crf -n 1 --no-calibrate -o m.vouch train.txt
cp m.vouch same.vouch
"$VOUCH" tune -m m.vouch dev.txt >printed 2>said &
wait_for said '^read'
sleep 0.2
kill -INT $!
status=0
wait $! || status=$?
echo "exit $status"
cat printed said
cmp m.vouch same.vouch
rm printed said
ls -A
