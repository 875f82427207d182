# Several test files count as one; without gold labels there is nothing to measure.
. "$CLI/common"
corpus
learn -t ner -n 2 --no-calibrate -o m.vouch train.txt
"$VOUCH" sample -n 20 --first 200 --unseen-names >a.txt
"$VOUCH" sample -n 40 --first 220 --unseen-names >b.txt
"$VOUCH" eval -m m.vouch $THREADS test.txt >whole 2>&1
"$VOUCH" eval -m m.vouch $THREADS a.txt b.txt 2>&1 | cmp - whole
printf '{"tokens": [["a", "b"]]}\n' >bare.jsonl
try "$VOUCH" eval -m m.vouch bare.jsonl
: >empty
try "$VOUCH" eval -m m.vouch empty
try "$VOUCH" eval empty
printf 'alone\n' >alone
try "$VOUCH" eval alone
printf 'word label\n' >two
try "$VOUCH" eval two
