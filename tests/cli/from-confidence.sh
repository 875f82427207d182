# --from: what becomes of the model's confidence.
. "$CLI/common"
corpus
"$VOUCH" sample -n 40 --first 300 >new.txt
"$VOUCH" train -t ner -a cw+crf -n 2 -q $THREADS -o m.vouch train.txt
confidence()
{
    "$VOUCH" info --json "$1" | sed -n '/^  "confidence"/,/^  [}]/p'
}
confidence m.vouch >before

echo "kept:"
"$VOUCH" train --from m.vouch -n 1 $THREADS -o n.vouch new.txt 2>&1 | tail -n 1
confidence n.vouch | diff before - | grep "^[<>]" || true
"$VOUCH" tag -m n.vouch $THREADS test.txt 2>&1 >answers | cat
awk 'NF { print ($NF > 0 && $NF <= 1) }' answers | uniq

echo "calibrated on development data:"
"$VOUCH" train --from m.vouch -n 1 $THREADS --dev test.txt -o n.vouch new.txt 2>&1 | tail -n 2 | sed 's/, [0-9.]* s$//'
confidence n.vouch | grep -e '"fitted_on"' -e carried

echo "kept, though there are development data:"
"$VOUCH" train --from m.vouch -n 1 $THREADS --no-calibrate --dev test.txt -o n.vouch new.txt 2>&1 | tail -n 1
confidence n.vouch | diff before - | grep "^[<>]" || true

echo "dropped, for there are new labels:"
sed 's/-ORG/-TEAM/' new.txt >team.txt
"$VOUCH" train --from m.vouch -n 1 $THREADS -o n.vouch team.txt 2>&1 | sed 's/, [0-9.]* s$//'
"$VOUCH" info n.vouch | grep ^labels
confidence n.vouch
"$VOUCH" tag -m n.vouch $THREADS new.txt 2>&1 | grep -c TEAM

echo "dropped, an operating point:"
"$VOUCH" trade -q -m m.vouch -c gamma --precision 0.7 -o point.vouch test.txt >/dev/null
"$VOUCH" train --from point.vouch -n 1 $THREADS -o n.vouch new.txt 2>&1 | tail -n 2
"$VOUCH" info n.vouch | grep -c ^point || true

echo "there was none:"
learn -t ner -n 1 --no-calibrate -o m.vouch train.txt
"$VOUCH" train --from m.vouch -n 1 -o n.vouch new.txt 2>&1 | tail -n 1
"$VOUCH" train --from m.vouch -n 1 -q -o n.vouch new.txt
