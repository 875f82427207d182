# Standard input to standard output; an answer comes before the next question.
. "$CLI/common"
corpus
learn -t ner -n 2 --no-calibrate -o m.vouch train.txt
"$VOUCH" tag -m m.vouch test.txt >labelled.txt
cat test.txt | "$VOUCH" tag -m m.vouch $THREADS | cat | cmp - labelled.txt
"$VOUCH" tag -m m.vouch $THREADS <test.txt | cmp - labelled.txt
"$VOUCH" tag -m m.vouch $THREADS - <test.txt | cmp - labelled.txt
"$VOUCH" tag -m m.vouch $THREADS test.txt | "$VOUCH" eval -q >evaluated
"$VOUCH" eval -q -m m.vouch test.txt | cmp - evaluated
"$VOUCH" sample -n 50 | "$VOUCH" train --no-calibrate -t ner -n 1 -q -o p.vouch -
"$VOUCH" info p.vouch | grep -o 'trained on[^,]*'
"$VOUCH" dump m.vouch | "$VOUCH" load -o l.vouch -
cmp m.vouch l.vouch
echo "a reader that leaves:"
status=0
{ "$VOUCH" sample -n 100000 2>said || echo $? >status; } | head -n 1 >/dev/null
cat said status
