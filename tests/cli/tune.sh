# Tuning on labelled files: the table, and what becomes of the model.
. "$CLI/common"
corpus
"$VOUCH" sample -n 40 --first 300 --unseen-names >more.txt
learn -t ner -a cw+crf -n 2 --no-calibrate -o m.vouch train.txt
"$VOUCH" tune -m m.vouch $THREADS --grid quick --seed 3 -o t.vouch test.txt more.txt 2>said
sed 's/, [0-9.]* s$//' said

# Confidence is in the header, and all else is as it was.
"$VOUCH" info --json t.vouch >header
grep -A 1 -e '"confidence"' -e '"fitted_on"' -e '"preferred"' header
sed -n '/"confidence"/,$p' header | grep -A 3 -e '"files"'
"$VOUCH" dump m.vouch | grep -v '^header' >plain
"$VOUCH" dump t.vouch | grep -v '^header' | cmp - plain
"$VOUCH" info --verify t.vouch | tail -n 1
"$VOUCH" dump t.vouch | "$VOUCH" load -o again.vouch
cmp t.vouch again.vouch

# The answers are the same, with calibrated numbers.
"$VOUCH" tag -q -m m.vouch test.txt >plain
"$VOUCH" tag -q -m t.vouch $THREADS test.txt | sed 's/ [0-9.e-]*$//' | cmp - plain
"$VOUCH" tag -m t.vouch $THREADS test.txt 2>&1 >/dev/null
"$VOUCH" tag -q -m t.vouch --confidence committee,kd-fix test.txt |
    awk 'NF { print ($(NF - 1) > 1 || $NF > 1 || $NF < 0) }' | uniq

# Without -o the model itself is replaced, with the same seed by the same bytes.
cp m.vouch own.vouch
"$VOUCH" tune -q -m own.vouch --in-place $THREADS --grid quick --seed 3 test.txt more.txt >table
cmp own.vouch t.vouch
"$VOUCH" tune -q -m own.vouch --in-place $THREADS --grid quick --seed 3 test.txt more.txt >again
cmp own.vouch t.vouch
cmp table again

# The full grid, as JSON.
"$VOUCH" tune -q -m own.vouch --in-place $THREADS --draws 30 --json test.txt | sed -n '1,/"methods"/p'

# On what it was trained on it would be too sure of itself.
"$VOUCH" tune -m m.vouch --grid quick -o t.vouch train.txt 2>&1 >table | grep warning
"$VOUCH" tune -q -m m.vouch --grid quick -o t.vouch train.txt 2>&1 >table
