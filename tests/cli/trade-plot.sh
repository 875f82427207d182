# A figure of all methods, and its numbers.
. "$CLI/common"
corpus
"$VOUCH" train --no-calibrate -t ner -n 2 -q -o m.vouch train.txt
"$VOUCH" trade -q -m m.vouch $THREADS -c gamma,kd-fix --plot curve.svg test.txt >table
grep -c '</svg>' curve.svg
grep -o '>kd-fix<\|>gamma<\|>recall, %<\|>precision, %<' curve.svg | sort
head -n 5 curve.dat
mkdir bin empty
try env PATH="$PWD/bin" "$VOUCH" trade -m m.vouch -c gamma --plot empty/curve.svg test.txt
try "$VOUCH" trade -m m.vouch -c gamma --plot - test.txt
ls empty
