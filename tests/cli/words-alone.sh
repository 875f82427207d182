# A file with parts of speech, learned from by its words alone (--use 1), gives a model that labels plain words.
. "$CLI/common"
corpus
learn -t ner -n 3 -o words.vouch --use 1 train.txt
"$VOUCH" info words.vouch | grep ^features
echo 'Mrs Moninon left Paris .' | "$VOUCH" tag -q -m words.vouch --format plain | sed 's|/[0-9.]*\( \|$\)|\1|g'
# It is the model of a file that has only these columns.
cut -d ' ' -f 1,4 train.txt >narrow.txt
learn -t ner -n 3 -o narrow.vouch narrow.txt
cut -d ' ' -f 1,4 test.txt >narrow.test
"$VOUCH" tag -q -m narrow.vouch narrow.test >narrow.out
"$VOUCH" tag -q -m words.vouch narrow.test | cmp - narrow.out && echo "as from words and labels"
"$VOUCH" tag -q -m words.vouch test.txt | cut -d ' ' -f 1,4- | cmp - narrow.out &&
    echo "other columns are not looked at"
# Without it, parts of speech are expected, and a message says what can be done.
learn -t ner -n 3 --no-calibrate -o both.vouch train.txt
echo 'Mrs Moninon left Paris .' >plain.txt
try "$VOUCH" tag -q -m both.vouch --format plain plain.txt
learn -t ner -n 1 --no-calibrate -o two.vouch --use 2 train.txt
learn -t ner -n 1 --no-calibrate -o all.vouch train.txt
"$VOUCH" tag -q -m two.vouch test.txt >two
"$VOUCH" tag -q -m all.vouch test.txt | cmp - two && echo "the features of names look at two columns"
try "$VOUCH" train -t ner --use 1 --template t -o none.vouch train.txt
try "$VOUCH" train -t dep --use 1 -o none.vouch train.txt
try "$VOUCH" train --from words.vouch --use 1 -o none.vouch train.txt
