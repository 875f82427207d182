# Ctrl-C while confidence is being calibrated: the voices are saved as they are, uncalibrated, status 3.
. "$CLI/common"
corpus
"$VOUCH" train -t ner -a cw+crf -n 200 $THREADS --log log -o m.vouch train.txt 2>said &
wait_for log '"voice":"crf","pass":200,'
wait_until has_worked $! $(($(worked $!) + 20)) # the last pass is over, and calibrating takes seconds
end_by INT
grep -e calibrated -e interrupted said | sed 's/, [0-9.]* s$//'
"$VOUCH" info --json m.vouch | grep -c -e '"confidence"' || true
"$VOUCH" info m.vouch | grep -e ^voice -e ^passes
"$VOUCH" tag -m m.vouch test.txt 2>&1 | head -n 2
rm said log
ls -A
