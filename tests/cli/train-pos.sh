# Parts of speech: the gold column is the second of four, the word is all that is seen.
. "$CLI/common"
corpus ner
"$VOUCH" train --no-calibrate -t pos --gold 2 -n 2 $THREADS -o m.vouch train.txt 2>said
sed 's/, [0-9.]* s$//' said
"$VOUCH" info m.vouch | grep -e ^task -e ^scheme -e ^features
"$VOUCH" eval -m m.vouch --gold 2 $THREADS test.txt 2>&1
echo "only words:"
cut -d ' ' -f 1 test.txt >words.txt
"$VOUCH" tag -m m.vouch $THREADS words.txt | head -n 12
