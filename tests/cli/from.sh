# --from: going on from a model with new sentences.
. "$CLI/common"
corpus
"$VOUCH" sample -n 200 --first 300 >new.txt
"$VOUCH" train --no-calibrate -t ner -a cw+crf -n 5 -q $THREADS -o old.vouch train.txt
"$VOUCH" train --from old.vouch $THREADS -o m.vouch new.txt 2>said
sed 's/, [0-9.]* s$//' said
"$VOUCH" info m.vouch | sed '/^command/q; s/digest .*;/digest D;/'
for model in old m; do
    "$VOUCH" eval -q -m $model.vouch $THREADS test.txt | sed -n 2p
done

echo "what was known keeps its number, what is new comes behind:"
for model in old m; do
    "$VOUCH" dump $model.vouch >$model.text
    for kind in string node edge; do
        grep "^$kind" $model.text >$model.$kind
    done
done
for kind in string node edge; do
    head -n "$(wc -l <old.$kind)" m.$kind | cmp - old.$kind
done

echo "the same bytes again, as text and back, and in the place of the model itself:"
"$VOUCH" train --from old.vouch -q $THREADS -o again.vouch new.txt
cmp m.vouch again.vouch
"$VOUCH" load -o again.vouch m.text
cmp m.vouch again.vouch
cp old.vouch own.vouch
"$VOUCH" train --from own.vouch -q -o own.vouch new.txt
"$VOUCH" dump own.vouch | grep -v ^header >own
grep -v ^header m.text | cmp - own

echo "sentences are remembered: twice the same are one"
"$VOUCH" train --from m.vouch -q -n 1 -o third.vouch train.txt new.txt
"$VOUCH" info third.vouch | grep -e ^went -e ^remembers | sed 's/digest .*;/digest D;/'
"$VOUCH" info --json third.vouch | grep -e '"command"' -e '"in_all"'
"$VOUCH" info --json third.vouch | grep -c "$("$VOUCH" info --verify m.vouch | sed -n 's/^digest *//p')"
