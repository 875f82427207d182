# Review by a model that has not seen the files; labels that it does not have are suspect.
. "$CLI/common"
corpus
learn -t ner -a cw+crf -n 3 -o m.vouch train.txt
sed '5s/[^ ]*$/B-NEW/' test.txt >odd.txt
"$VOUCH" sample -n 20 --first 500 --noise 0.1 >more.txt
try "$VOUCH" review $THREADS -m m.vouch --inspect 6 odd.txt more.txt
try "$VOUCH" review $THREADS -m m.vouch --inspect 1 --level chunk --as jsonl odd.txt

# It has learned from train.txt, and says so.
try "$VOUCH" review $THREADS -m m.vouch --inspect 1 -o list.tsv train.txt
try "$VOUCH" review $THREADS -m m.vouch --inspect 1 -q -o list.tsv train.txt
cat list.tsv

# Draws as the model was tuned to them.
"$VOUCH" tune -q -m m.vouch --grid quick --draws 20 -o t.vouch more.txt >tuned
"$VOUCH" review $THREADS -q -m t.vouch --inspect 1 odd.txt | cut -f 16
