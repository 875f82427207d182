# A figure of all methods, and its numbers.
. "$CLI/common"
corpus
learn -t ner -n 2 --no-calibrate -o m.vouch train.txt
"$VOUCH" trade -q -m m.vouch $THREADS -c gamma,kd-fix --plot curve.svg test.txt >table
grep -c '</svg>' curve.svg
grep -o '>kd-fix<\|>gamma<\|>recall, %<\|>precision, %<' curve.svg | sort
head -n 5 curve.dat
mkdir bin empty
try env PATH="$PWD/bin" "$VOUCH" trade -m m.vouch -c gamma --plot empty/curve.svg test.txt
try "$VOUCH" trade -m m.vouch -c gamma --plot - test.txt
ls empty
