# Input that cannot be used: file, line and what was expected, status 1, and nothing left behind.
. "$CLI/common"
corpus
learn -t ner -n 1 --no-calibrate -o m.vouch train.txt

echo "missing:"
try "$VOUCH" tag -m m.vouch missing
try "$VOUCH" eval -m m.vouch missing
try "$VOUCH" eval missing
try "$VOUCH" train --no-calibrate -q -t ner -o new.vouch missing
try "$VOUCH" train --no-calibrate -q -t ner -n 1 --dev missing -o new.vouch train.txt
try "$VOUCH" tag -m m.vouch .

echo "empty:"
: >empty
try "$VOUCH" tag -m m.vouch empty
try "$VOUCH" train --no-calibrate -q -t ner -o new.vouch empty
try "$VOUCH" train --no-calibrate -q -t ner -n 1 --dev empty -o new.vouch train.txt
printf '\n\n# only a comment\n\n' >comments
try "$VOUCH" train --no-calibrate -q -t ner -o new.vouch comments

echo "bad UTF-8:"
printf 'a b c O\n\ngood b c O\nb\351d b c O\n' >latin1
try "$VOUCH" tag -m m.vouch latin1
try "$VOUCH" train --no-calibrate -q -t ner -o new.vouch latin1
printf 'a b c O\nx\000y b c O\n' >nul
try "$VOUCH" tag -m m.vouch nul

echo "ragged:"
head -n 30 train.txt >ragged
printf 'b c O\n' >>ragged
try "$VOUCH" tag -m m.vouch ragged
try "$VOUCH" train --no-calibrate -q -t ner -o new.vouch ragged
printf 'a\tb\tc\tO\nb\t\tc\tO\n' >hole
try "$VOUCH" train --no-calibrate -q -t ner -o new.vouch hole

echo "too few columns:"
printf 'word\n' >words
try "$VOUCH" tag -m m.vouch words
try "$VOUCH" train --no-calibrate -q -t ner -o new.vouch words
try "$VOUCH" train --no-calibrate -q -t ner --gold 5 -o new.vouch train.txt
try "$VOUCH" eval -m m.vouch --gold 5 test.txt

echo "unlabelled:"
printf 'no label here\n' >plain
try "$VOUCH" train --no-calibrate -q -t ner --format plain -o new.vouch plain
printf '{"tokens": ["a"]}\n' >bare.jsonl
try "$VOUCH" train --no-calibrate -q -t ner -o new.vouch bare.jsonl
printf '\tw=a\n' >bare.crfsuite
try "$VOUCH" train --no-calibrate -q -t ner --format crfsuite -o new.vouch bare.crfsuite
printf 'O\tw=a:x\n' >number.crfsuite
try "$VOUCH" train --no-calibrate -q -t ner --format crfsuite -o new.vouch number.crfsuite
ls -A
