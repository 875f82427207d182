# A model as text and back: the same bytes.
. "$CLI/common"
corpus
printf 'U:%%x[0,0]\nU:%%x[-1,0]\nU1:%%lower[0,0]/%%x[0,1]\nB\nB1:%%x[0,1]\n' >template
for algorithm in cw pa perceptron crf cw+crf+pa; do
    learn -t ner -a $algorithm -n 2 --template template --no-calibrate -o m.vouch train.txt
    "$VOUCH" dump m.vouch >text
    "$VOUCH" load -o again.vouch text
    cmp m.vouch again.vouch
    "$VOUCH" dump again.vouch | cmp - text
done
"$VOUCH" dump -o named m.vouch
cmp named text
gzip -c text | "$VOUCH" load -o again.vouch
cmp m.vouch again.vouch

echo "strings with tabs, newlines and backslashes:"
printf '{"tokens": ["a\\tb", "c\\nd", "\\\\", "\\r"], "labels": ["A", "B", "C", "D"]}\n' >odd.jsonl
learn -t pos -n 1 --no-calibrate -o m.vouch odd.jsonl
"$VOUCH" dump m.vouch | grep '^string.*\\'
"$VOUCH" dump m.vouch | "$VOUCH" load -o again.vouch
cmp m.vouch again.vouch

echo "what a dump looks like:"
printf 'a X\nb Y\n' >tiny
printf 'U:%%x[0,0]\nB\n' >template
learn -t pos -a perceptron -n 1 --template template --no-calibrate -o m.vouch tiny
"$VOUCH" dump m.vouch | sed 's/^header.*/header .../'
