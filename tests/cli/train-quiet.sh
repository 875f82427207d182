# -q says nothing; nothing is on standard output either way.
. "$CLI/common"
corpus
try "$VOUCH" train -q -t ner -n 1 --dev test.txt -o m.vouch train.txt
"$VOUCH" train -t ner -n 1 --dev test.txt -o m.vouch train.txt 2>/dev/null | wc -c | tr -d ' '
