# Every kind of model and of file that can be measured can be tuned on.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/tree_common"
corpus
treebank
attributes()
{
    awk 'NF { print $4 "\tw=" $1 "\tp=" $2 } !NF' "$1"
}
json()
{
    awk 'NF { t = t c "[\"" $1 "\",\"" $2 "\"]"; l = l c "\"" $4 "\""; c = "," }
         !NF { print "{\"tokens\":[" t "],\"labels\":[" l "]}"; t = l = c = "" }' "$1" | sed 's/\\/\\\\/g'
}
findings()
{
    "$VOUCH" tune $THREADS --grid quick "$@" >table 2>said || echo "exit $?"
    cat table
    sed 's/, [0-9.]* s$//' said
}

echo "attributes:"
attributes train.txt >train.crfsuite
attributes test.txt >test.crfsuite
"$VOUCH" train --no-calibrate -t ner -a pa -n 2 -q -o a.vouch train.crfsuite
findings -m a.vouch test.crfsuite

echo "JSON:"
"$VOUCH" train --no-calibrate -t ner -a pa -n 2 -q -o j.vouch train.txt
json test.txt >test.jsonl
findings -m j.vouch -o from-json.vouch test.jsonl >one
findings -m j.vouch -o from-columns.vouch test.txt >two
grep -v -e ^wrote one >one.table
grep -v -e ^wrote two | cmp - one.table
findings -m j.vouch test.crfsuite

echo "gold in another column:"
"$VOUCH" train --no-calibrate -t pos --gold 2 -a pa -n 1 -q -o g.vouch train.txt
findings -m g.vouch test.txt | head -n 1
findings -m g.vouch --gold 3 test.txt | grep -v wrote | head -n 1
grep ^warning said

echo "labels that are not known are wrong:"
sed 's/-PER$/-PERSON/' test.txt >other.txt
findings -m j.vouch -o o.vouch other.txt | head -n 1
findings -m j.vouch -o o.vouch test.txt | head -n 1

echo "trees:"
train_small -q -o d.vouch train.conllu
findings -m d.vouch --in-place test.conllu
"$VOUCH" parse -m d.vouch $THREADS test.conllu 2>&1 | sed -n '1p; /^# conf_method/{p;q;}'
train_small -q --unlabelled -a pa -o u.vouch train.conllu
findings -m u.vouch test.conllu | grep -e words -e preferred
