# How good answers to unlabelled text will be: shares with intervals, and whether the text is unlike.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/common"
"$VOUCH" sample -n 600 >train.txt
"$VOUCH" sample -n 400 --first 600 >like.txt
learn -t ner -a crf -n 3 -o m.vouch train.txt

# The figures in their order, each within its interval.
"$VOUCH" forecast -m m.vouch $THREADS like.txt |
    awk '$4 == "to" { print $1, ($3 <= $2 && $2 <= $5 ? "is within" : $0) }'
"$VOUCH" forecast -m m.vouch $THREADS --json like.txt >like.json
"$VOUCH" forecast -m m.vouch -j 3 --json like.txt | cmp - like.json && echo 'whatever -j is'

# Gold is not looked at.
awk '{ if (NF) $NF = "O"; print }' like.txt >none.txt
"$VOUCH" forecast -m m.vouch --json none.txt | cmp - like.json && echo 'whatever the labels are'
awk '{ if (NF) print $1, $2, $3; else print }' like.txt | "$VOUCH" forecast -m m.vouch --json | cmp - like.json &&
    echo 'if there are any'

# Words of another alphabet: unlike, and less is expected.
tr 'a-z' 'n-za-m' <like.txt | awk '{ if (NF) print $1, $2, $3, "O"; else print }' >unlike.txt
expected() { sed -n '/"f1"/,/}/s/ *"forecast": \([0-9.]*\),.*/\1/p' "$1"; }
"$VOUCH" forecast -m m.vouch --json unlike.txt >unlike.json
grep '"unlike"' like.json unlike.json
echo "$(expected like.json) $(expected unlike.json)" | awk '{ print ($1 > $2 + 5 ? "less is expected" : $0) }'
"$VOUCH" tag -m m.vouch unlike.txt 2>&1 >/dev/null | sed -n 's/ (.*)//p'
"$VOUCH" tag -m m.vouch like.txt 2>&1 >/dev/null | grep -c warning || true
"$VOUCH" tag -q -m m.vouch unlike.txt 2>&1 >/dev/null

# Trees have attachment alone.
"$VOUCH" sample --kind dep -n 200 >train.conllu
"$VOUCH" sample --kind dep -n 60 --first 200 >test.conllu
learn -t dep -n 2 --bits 14 -o dep.vouch train.conllu
"$VOUCH" forecast -m dep.vouch test.conllu | awk '$4 == "to" { print $1 }'

# Some labelled sentences: intervals become narrower, and the JSON has both; they may be part of the text.
"$VOUCH" sample -n 50 --first 1000 >fifty.txt
width() { sed -n '/"f1"/,/}/s/ *"\(low\|high\)": \([0-9.]*\),*/\2/p' "$1" | head -n 2 | paste -s -d ' '; }
"$VOUCH" forecast -m m.vouch --labelled fifty.txt --json like.txt >labelled.json
echo "$(width like.json) $(width labelled.json)" | awk '{ print ($4 - $3 < $2 - $1 ? "narrower" : $0) }'
grep -c '"without_labels"\|"by_labels"' labelled.json
"$VOUCH" forecast -m m.vouch --labelled fifty.txt -j 3 --json like.txt | cmp - labelled.json && echo 'whatever -j is'
"$VOUCH" forecast -m m.vouch --labelled fifty.txt like.txt fifty.txt | grep assume
"$VOUCH" forecast -m m.vouch like.txt | grep assume
"$VOUCH" sample --kind dep -n 20 --first 260 >few.conllu
"$VOUCH" forecast -m dep.vouch --labelled few.conllu test.conllu | awk '$4 == "to" { print $1 }'

# What cannot be.
sed 's/-[A-Z]*$/-THING/' fifty.txt >things.txt
try "$VOUCH" forecast -m m.vouch --labelled things.txt like.txt
try "$VOUCH" forecast -m m.vouch --labelled /dev/null like.txt
learn -t ner -n 1 --no-calibrate -o raw.vouch train.txt
try "$VOUCH" forecast -m raw.vouch like.txt
try "$VOUCH" forecast like.txt
try "$VOUCH" forecast -m m.vouch missing.txt
try "$VOUCH" forecast -m m.vouch /dev/null
