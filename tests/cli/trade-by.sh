# A threshold for each type of entities, or for each value of a column: each group has what it is promised, and what is
# printed is what labelling does.
. "$CLI/common"
"$VOUCH" sample -n 200 >train.txt
"$VOUCH" sample -n 300 --first 200 --unseen-names >dev.txt
learn -t ner -a cw+crf -n 3 --no-calibrate -o m.vouch train.txt
"$VOUCH" trade -q -m m.vouch $THREADS -c gamma --precision 0.85 --by type -o t.vouch dev.txt | sed -n '/chosen/,$p'
"$VOUCH" trade -q -m m.vouch $THREADS -c gamma,kd-fix --precision 0.75 --guarantee 0.8 --by type -o g.vouch dev.txt |
    sed -n '/chosen/,$p'
"$VOUCH" info g.vouch | sed -n '/^point/,/^command/p' | sed '$d'
"$VOUCH" trade -q --json -m m.vouch -c gamma --precision 0.75 --guarantee 0.8 --by type -o j.vouch dev.txt |
    sed -n '/"by"/,/"guarantee"/p' | head -n 24

# Labelling has the same figures, type by type.
for point in t g; do
    "$VOUCH" tag -q -m $point.vouch $THREADS --operating-point dev.txt | awk 'NF { print $4, $5 } !NF' |
        "$VOUCH" eval -q | sed 1d
done

# Recall: a word outside gets a label by the threshold of that label's type.
"$VOUCH" trade -q -m m.vouch $THREADS -c gamma --recall 0.3 --by type -o r.vouch dev.txt | sed -n '/chosen/,$p'
"$VOUCH" tag -q -m r.vouch --operating-point dev.txt | awk 'NF { print $4, $5 } !NF' | "$VOUCH" eval -q | sed 1d

# A column: sentences of two sources.
awk 'BEGIN { RS = ""; FS = "\n" } { for (i = 1; i <= NF; i++) { split($i, c, " ")
    print c[1], c[2], c[3], NR % 3 ? "news" : "mail", c[4] } print "" }' train.txt >train5.txt
awk 'BEGIN { RS = ""; FS = "\n" } { for (i = 1; i <= NF; i++) { split($i, c, " ")
    print c[1], c[2], c[3], NR % 3 ? "news" : "mail", c[4] } print "" }' dev.txt >dev5.txt
learn -t ner -a cw+crf -n 3 --no-calibrate -o c.vouch train5.txt
"$VOUCH" trade -q -m c.vouch $THREADS -c gamma --precision 0.8 --guarantee 0.8 --by 4 -o by4.vouch dev5.txt |
    sed -n '/chosen/,$p'
for source in news mail; do
    awk -v source=$source 'BEGIN { RS = ""; FS = "\n" }
        { split($1, c, " "); if (c[4] == source) print $0 "\n" }' dev5.txt |
        "$VOUCH" tag -q -m by4.vouch --operating-point | awk 'NF { print $5, $6 } !NF' | "$VOUCH" eval -q | sed -n 2p
done
# A value that was not there becomes O.
sed 's/ news / web /; s/ mail / web /' dev5.txt | "$VOUCH" tag -q -m by4.vouch --operating-point |
    awk 'NF && $6 != "O"' | wc -l

# What cannot be.
try "$VOUCH" trade -q -m m.vouch -c gamma --by type dev.txt
try "$VOUCH" trade -q -m m.vouch -c gamma --precision 0.8 --by letters dev.txt
try "$VOUCH" trade -q -m m.vouch -c gamma --precision 0.8 --by 9 dev.txt
try "$VOUCH" trade -q -m m.vouch -c gamma --precision 0.8 --by type --merge-types dev.txt
try "$VOUCH" trade -q -m m.vouch -c gamma --recall 0.99 --guarantee 0.9 --by type -o none.vouch dev.txt
try "$VOUCH" trade -q -m m.vouch -c gamma --precision 0.999 --guarantee 0.99 --by type -o none.vouch dev.txt
[ ! -e none.vouch ] || echo "written all the same"
damage()
{
    "$VOUCH" dump g.vouch | sed "$1" | "$VOUCH" load -o damaged.vouch
    try "$VOUCH" tag -q -m damaged.vouch --operating-point dev.txt
}
damage 's/"by":"type"/"by":"kind"/'
damage 's/"direction":"precision","threshold"/"direction":"up","threshold"/'

# Text that was learned from guarantees nothing, whatever its file is called; gold is no column to go by.
cp train.txt copy.txt
try "$VOUCH" trade -q -m m.vouch -c gamma --precision 0.5 --guarantee 0.9 -o no.vouch copy.txt
try "$VOUCH" trade -q -m m.vouch -c gamma --precision 0.5 --by 4 -o no.vouch dev.txt

# Words are no groups; names of any length and letters keep the columns; each group has its own limit of errors.
try "$VOUCH" trade -q -m m.vouch -c gamma --precision 0.5 --by 1 -o no.vouch dev.txt
sed 's/ news / newspapers-and-magazines /; s/ mail / für-Öl /' dev5.txt >names5.txt
"$VOUCH" trade -m c.vouch -c gamma --precision 0.8 --guarantee 0.8 --by 4 -o by4.vouch names5.txt 2>&1 |
    sed -n '/^column/,/^$/p; /chosen threshold/p'
