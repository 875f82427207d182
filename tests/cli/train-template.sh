# Features from a template file of CRF++.
. "$CLI/common"
corpus
cat >template <<'END'
# unigrams
U00:%x[-1,0]
U01:%x[0,0]
U02:%x[1,0]

U05:%x[-1,0]/%x[0,0]
U10:%x[0,1]
U11:%suffix3[0,0]
U12:%brief[0,0]
B
B01:%x[0,0]
END
"$VOUCH" train --no-calibrate -t ner -a pa -n 3 --template template $THREADS -o m.vouch train.txt 2>said
sed 's/, [0-9.]* s$//' said
"$VOUCH" info m.vouch | grep ^features
"$VOUCH" info --show-template m.vouch | diff template -
"$VOUCH" eval -q -m m.vouch $THREADS test.txt

echo "without labels in pairs:"
grep -v ^B template >nodes
"$VOUCH" train --no-calibrate -t ner -a pa -n 3 --template nodes -q $THREADS -o n.vouch train.txt
"$VOUCH" info n.vouch | grep ^features
"$VOUCH" eval -q -m n.vouch $THREADS test.txt | sed -n 2p
