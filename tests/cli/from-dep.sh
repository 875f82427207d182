# --from with trees: weights are hashed, and relations may become more.
. "$CLI/tree_common"
treebank
"$VOUCH" sample --kind dep -n 150 --first 300 >new.conllu
train_small $THREADS -q -o old.vouch train.conllu
"$VOUCH" train --from old.vouch -n 2 $THREADS -o m.vouch new.conllu 2>said
sed 's/, [0-9.]* s$//' said
"$VOUCH" info m.vouch | sed '/^command/q; s/digest .*;/digest D;/' | sed 1,2d
for model in old m; do
    "$VOUCH" eval $THREADS -m $model.vouch test.conllu | sed -n '/^UAS/p; /^LAS /p; /one root/p'
done
"$VOUCH" train --from old.vouch -n 2 $THREADS -q -o again.vouch new.conllu
cmp m.vouch again.vouch

echo "a new relation:"
awk 'BEGIN { FS = OFS = "\t" } $8 == "obj" { $8 = "goal" } { print }' new.conllu >goal.conllu
"$VOUCH" train --from old.vouch -n 1 $THREADS -o m.vouch goal.conllu 2>&1 | grep '^going'
"$VOUCH" parse -q -m m.vouch $THREADS test.conllu | grep -c goal

echo "heads only:"
train_small --unlabelled -q -o heads.vouch train.conllu
"$VOUCH" train --from heads.vouch -n 1 $THREADS -o m.vouch new.conllu 2>&1 | sed 's/, [0-9.]* s$//'
