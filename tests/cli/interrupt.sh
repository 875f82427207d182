# Ctrl-C once: what was learned so far is saved, status 3, and the model is as good as any.
. "$CLI/common"
corpus
"$VOUCH" train --no-calibrate -t ner -a perceptron -n 10000 $THREADS --log log -o m.vouch train.txt 2>said &
wait_for log '"pass":1,'
end_by INT
tail -n 1 said | sed 's/, [0-9.]* s$//'
tail -n 1 log | sed 's/"seconds":[0-9.e-]*/"seconds":S/'
"$VOUCH" info --verify m.vouch | tail -n 1
"$VOUCH" info --json m.vouch | grep interrupted
"$VOUCH" eval -q -m m.vouch $THREADS test.txt | awk 'NR == 2 { print ($NF > 50 ? "usable" : "F1 is " $NF) }'
"$VOUCH" dump m.vouch | "$VOUCH" load -o again.vouch
cmp m.vouch again.vouch
rm said log
ls -A
