# Two voices in one model: the first predicts, the second is beside it.
. "$CLI/common"
corpus
"$VOUCH" train --no-calibrate -t ner -a cw+crf -n 3 $THREADS -o both.vouch train.txt 2>said
sed 's/, [0-9.]* s$//' said
learn -t ner -a cw -n 3 --no-calibrate -o cw.vouch train.txt
learn -t ner -a crf+cw -n 3 --no-calibrate -o turned.vouch train.txt
learn -t ner -a crf -n 3 --no-calibrate -o crf.vouch train.txt
for model in both cw turned crf; do
    "$VOUCH" tag -m $model.vouch test.txt >$model.txt
done
cmp both.txt cw.txt
cmp turned.txt crf.txt
"$VOUCH" info both.vouch | grep ^voice
