# CoNLL columns: the input's lines unchanged, one more column, separated as the input was.
. "$CLI/common"
corpus
learn -t ner -n 3 --no-calibrate -o m.vouch train.txt
"$VOUCH" tag -m m.vouch $THREADS test.txt >labelled.txt
head -n 20 labelled.txt
awk 'NF { NF-- } 1' labelled.txt | cmp - test.txt
tr ' ' '\t' <test.txt >tabs.txt
"$VOUCH" tag -m m.vouch $THREADS tabs.txt | tr '\t' ' ' | cmp - labelled.txt
cut -d ' ' -f 1,2 test.txt >two.txt
"$VOUCH" tag -m m.vouch $THREADS two.txt >two.labelled
awk '{ print $NF }' two.labelled >two.labels
awk '{ print $NF }' labelled.txt | cmp - two.labels
"$VOUCH" tag -m m.vouch --format conll $THREADS test.txt | cmp - labelled.txt
echo "a last line without its end, and CR LF:"
printf 'Ada NNP\r\nsleeps VBZ' | "$VOUCH" tag -m m.vouch $THREADS
