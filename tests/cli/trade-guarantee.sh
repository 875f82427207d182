# A threshold that keeps its precision, or recall, on other text from the same source.
. "$CLI/common"
"$VOUCH" sample -n 200 >train.txt
"$VOUCH" sample -n 300 --first 200 --unseen-names >dev.txt
"$VOUCH" sample -n 300 --first 500 --unseen-names >test.txt
learn -t ner -a cw+crf -n 3 --no-calibrate -o m.vouch train.txt
"$VOUCH" trade -q -m m.vouch $THREADS -c gamma --precision 0.8 -o plain.vouch dev.txt | tail -n 3
"$VOUCH" trade -q -m m.vouch $THREADS -c gamma,kd-fix --precision 0.8 --guarantee 0.9 -o p.vouch dev.txt | tail -n 4
"$VOUCH" trade -q -m m.vouch $THREADS -c gamma --recall 0.35 --guarantee 0.95 -o r.vouch dev.txt | tail -n 4
"$VOUCH" info p.vouch | grep -A 2 point
"$VOUCH" trade -q --json -m m.vouch $THREADS -c gamma --precision 0.8 --guarantee 0.9 -o j.vouch dev.txt |
    sed -n '/"operating_point"/,$p'

# Other sentences of the same source have it.
for point in plain p; do
    "$VOUCH" tag -q -m $point.vouch --operating-point test.txt | awk 'NF { print $4, $5 } !NF' |
        "$VOUCH" eval -q | sed -n 2p
done

# Words instead of entities.
"$VOUCH" trade -q -m m.vouch $THREADS -c gamma --unit words --drop words --precision 0.85 --guarantee 0.8 -o w.vouch \
    dev.txt | tail -n 4

# More than can be: the most that could be is named, and nothing is written.
try "$VOUCH" trade -q -m m.vouch -c gamma --guarantee 0.9 --recall 0.99 -o none.vouch dev.txt
[ ! -e none.vouch ] || echo "written all the same"

# A header that makes no sense is refused.
damage()
{
    "$VOUCH" dump p.vouch | sed "$1" | "$VOUCH" load -o damaged.vouch
    try "$VOUCH" tag -q -m damaged.vouch --operating-point test.txt
}
damage 's/"probability":0.9/"probability":1.5/'
damage 's/"errors_a_sentence":[0-9]*/"errors_a_sentence":0/'
damage 's/"interval":\[/"interval":[-3,/'
