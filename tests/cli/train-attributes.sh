# Ready-made features: CRFsuite lines, recognised or asked for.
. "$CLI/common"
corpus
attributes()
{
    awk 'NF == 0 { print ""; last = ""; next }
         { printf "%s\tw=%s\tp=%s\tlast=%s\tlength:%.2f\n", $4, $1, $2, last, length($1) / 10; last = $1 }' "$1" |
        sed 's/=:/=\\:/g'
}
attributes train.txt >train.crfsuite
attributes test.txt >test.crfsuite
head -n 3 train.crfsuite
"$VOUCH" train --no-calibrate -t ner -a pa -n 4 --features attributes $THREADS -o m.vouch train.crfsuite 2>said
sed 's/, [0-9.]* s$//' said
"$VOUCH" info m.vouch | grep ^features
"$VOUCH" eval -q -m m.vouch $THREADS test.crfsuite
learn -t ner -a pa -n 4 --no-calibrate -o n.vouch train.crfsuite
"$VOUCH" dump m.vouch | grep -v ^header >m
"$VOUCH" dump n.vouch | grep -v ^header | cmp - m
echo "labels alone are written:"
cut -f 2- test.crfsuite | sed '/./s/^/\t/' >unlabelled.crfsuite
"$VOUCH" tag -m m.vouch $THREADS unlabelled.crfsuite >one
"$VOUCH" tag -m m.vouch $THREADS --format crfsuite test.crfsuite | cmp - one
head -n 12 one
