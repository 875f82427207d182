# --dev measures after every pass; --log is JSON lines.
. "$CLI/common"
corpus
"$VOUCH" train --no-calibrate -t ner -a pa+crf -n 3 $THREADS --dev test.txt --log log -o m.vouch train.txt 2>said
sed 's/, [0-9.]* s$//' said
sed 's/"seconds":[0-9.e-]*/"seconds":S/' log
"$VOUCH" eval -q -m m.vouch test.txt | sed -n 2p
"$VOUCH" info --json m.vouch | sed -n '/"dev"/,/}/p'
learn -t ner -a pa+crf -n 3 --no-calibrate -o plain.vouch train.txt
"$VOUCH" dump m.vouch | grep -v ^header >m
"$VOUCH" dump plain.vouch | grep -v ^header | cmp - m
