# Output that cannot be written: status 1, and nothing left behind.
. "$CLI/common"
"$VOUCH" sample -n 50 >train.txt
learn -t ner -n 1 --no-calibrate -o m.vouch train.txt
"$VOUCH" dump m.vouch >text
try "$VOUCH" train --no-calibrate -t ner -n 1 -q -o missing/m.vouch train.txt
try "$VOUCH" tag -m m.vouch -o missing/out.txt train.txt
try "$VOUCH" sample -o missing/sample.txt
try "$VOUCH" dump -o missing/text m.vouch
try "$VOUCH" load -o missing/m.vouch text
mkdir folder
try "$VOUCH" train --no-calibrate -t ner -n 1 -q -o folder train.txt
try "$VOUCH" tag -m m.vouch -o folder train.txt
try "$VOUCH" tag -m m.vouch -o folder/ train.txt
rm text
ls -A . folder
