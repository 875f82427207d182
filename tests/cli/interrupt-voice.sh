# Ctrl-C in the first of two voices: that one is saved, the other is not begun.
. "$CLI/common"
corpus
"$VOUCH" train --no-calibrate -t ner -a perceptron+crf -n 10000 --log log -o m.vouch train.txt 2>said &
wait_for log '"pass":1,'
end_by INT
"$VOUCH" info m.vouch | grep ^voice
