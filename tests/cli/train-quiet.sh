# With -q nothing is printed; standard output is empty either way.
. "$CLI/common"
corpus
try "$VOUCH" train --no-calibrate -q -t ner -n 1 --dev test.txt -o m.vouch train.txt
"$VOUCH" train --no-calibrate -t ner -n 1 --dev test.txt -o m.vouch train.txt 2>/dev/null | wc -c | tr -d ' '
