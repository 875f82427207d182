# A model without calibration says so once, and how to get one; not if no confidence, or a raw method, is asked for.
. "$CLI/common"
corpus
learn -t ner -n 2 --no-calibrate -o m.vouch train.txt
"$VOUCH" tag -m m.vouch test.txt 2>&1 >/dev/null
"$VOUCH" tag -q -m m.vouch test.txt 2>&1 >/dev/null
"$VOUCH" tag -m m.vouch -c none test.txt 2>&1 >/dev/null
"$VOUCH" tag -m m.vouch -c gamma test.txt 2>&1 >/dev/null
"$VOUCH" eval -m m.vouch test.txt 2>&1 >/dev/null | grep -v 'all right'
"$VOUCH" eval -q -m m.vouch test.txt 2>&1 >/dev/null
"$VOUCH" tune -q -m m.vouch --in-place --grid quick test.txt >table
"$VOUCH" tag -m m.vouch test.txt 2>&1 >/dev/null
