# Figures from sentences that were learned from come with a warning, whatever the file is called.
# Release only: slow under sanitizers, which reach the same code in unit tests.
. "$CLI/tree_common"
corpus
treebank
cp train.txt again.txt
said()
{
    "$@" 2>&1 >out | grep -e warning: || echo "no warning"
}
said "$VOUCH" train --no-calibrate -t ner -n 1 --dev train.txt -o m.vouch train.txt
said "$VOUCH" train --no-calibrate -t ner -n 1 --dev again.txt -o m.vouch train.txt
said "$VOUCH" train --no-calibrate -t ner -n 1 --dev test.txt -o m.vouch train.txt
said "$VOUCH" train --no-calibrate -t ner -q -n 1 --dev train.txt -o m.vouch train.txt
said "$VOUCH" train --no-calibrate --from m.vouch -n 1 --dev train.txt -o n.vouch test.txt
for file in train.txt again.txt test.txt; do
    said "$VOUCH" eval -m m.vouch $file
done
said "$VOUCH" eval -m m.vouch train.txt test.txt
said "$VOUCH" eval -m m.vouch <train.txt
said "$VOUCH" eval -q -m m.vouch train.txt
said train_small --dev train.conllu -o d.vouch train.conllu
said train_small --dev test.conllu -o d.vouch train.conllu
said "$VOUCH" eval -m d.vouch train.conllu
said "$VOUCH" eval -m d.vouch test.conllu
