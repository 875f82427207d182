# --from and Ctrl-C in the first of two voices: what it learned is saved, and the other as it was.
. "$CLI/common"
corpus
learn -t ner -a perceptron+crf -n 2 -o old.vouch train.txt
"$VOUCH" train --from old.vouch -n 10000 --log log -o m.vouch test.txt 2>said &
wait_for log '"pass":1,'
end_by INT
tail -n 2 said | sed 's/, [0-9.]* s$//'
"$VOUCH" info m.vouch | grep -e ^voice -e ^passes
"$VOUCH" info --json m.vouch | grep -e '"interrupted"' -e '"carried_over"'
for model in old m; do
    "$VOUCH" dump $model.vouch |
        awk '/^node/ { feature = $0 } /^mean.1/ && n++ < 1000 { print feature; print }' >$model.crf
done
head -n 1 old.crf | grep -c node
cmp old.crf m.crf
