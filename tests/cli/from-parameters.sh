# --from: parameters are the model's, unless given; so are scheme and gold column.
. "$CLI/common"
corpus
go_on()
{
    "$VOUCH" train --from m.vouch -q -n 1 -o n.vouch "$@"
    "$VOUCH" info n.vouch | grep -e ^scheme -e ^voice -e ^passes -e ^command
}
"$VOUCH" train --no-calibrate -t ner -a cw+pa -n 1 -q --phi 1 --covariance inverse --variance 0.5 -C 0.2 -k 3 \
    -o m.vouch train.txt
go_on test.txt
go_on --phi 0 -C 0.05 --task ner --algorithm cw+pa --learn-as iob2 test.txt
go_on --covariance full -k 0 test.txt
learn -t ner -a crf -n 1 --l2 0 --learn-as bioes --rate 0.1 --no-calibrate -o m.vouch train.txt
go_on --learn-as bioes test.txt
go_on --l2 0.5 test.txt
learn -t ner -a perceptron -n 1 --learn-as keep --no-calibrate -o m.vouch train.txt
go_on -k 7 --learn-as keep test.txt

echo "the gold column of the model:"
awk 'NF { print $1, $4, $2; next } { print }' train.txt >turned.txt
learn -t ner -n 1 --gold 2 --no-calibrate -o m.vouch turned.txt
go_on turned.txt
"$VOUCH" info --json n.vouch | grep '"gold"'

echo "new features seen once are left out, old ones stay:"
printf 'U0:%%x[0,0]\nB\n' >words
learn -t ner -n 1 --template words --no-calibrate -o m.vouch train.txt
for cutoff in 1 2; do
    "$VOUCH" train --from m.vouch -n 1 --cutoff $cutoff -o n.vouch test.txt 2>&1 | grep '^going'
done

echo "chunks in another scheme are read as what they are:"
awk 'NF == 0 { last = ""; print; next }
     { type = substr($4, 3); if ($4 ~ /^B/ && last != type) $4 = "I-" type; last = type; print }' test.txt >iob1.txt
"$VOUCH" train --from m.vouch -n 1 -q -o one.vouch iob1.txt
"$VOUCH" train --from m.vouch -n 1 -q -o two.vouch test.txt
"$VOUCH" info one.vouch | grep -e ^labels -e ^scheme
"$VOUCH" dump one.vouch | grep -v ^header >one
"$VOUCH" dump two.vouch | grep -v ^header | cmp - one
