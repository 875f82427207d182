# vouch judge: made-up scores as JSON lines, calibrated, kept as a model without weights, and used by every command.
. "$CLI/common"
corpus
printf '%s\n' O B-PER I-PER B-LOC I-LOC B-ORG I-ORG B-MISC I-MISC >labels.txt

# Scores of the labels of columns $1: 3 for the gold one, and noise that is the same on every machine.
scores()
{
    awk -v sets="$2" 'BEGIN { while ((getline line < "labels.txt") > 0) label[Y++] = line }
        function noise(x) { x = sin(x * 12.9898) * 43758.5453; return 6 * (x - int(x)) - 3 * (x < 0 ? -1 : 1) }
        function row(k, y) {
            text = "["
            for (y = 0; y < Y; y++)
                text = text (y ? ", " : "") sprintf("%.4f", ($NF == label[y] ? 4 : 0) + noise(NR * 17 + y + k * 0.01))
            return text "]"
        }
        NF { for (k = 0; k < sets; k++) all[k] = all[k] (all[k] == "" ? "" : ", ") row(k); words++ }
        !NF && words {
            if (sets == 1)
                print "{\"scores\": [" all[0] "]}"
            else {
                printf "{\"scores\": ["
                for (k = 0; k < sets; k++)
                    printf "%s[%s]", k ? ", " : "", all[k]
                print "]}"
            }
            for (k = 0; k < sets; k++)
                all[k] = ""
            words = 0
        }' "$1"
}
scores train.txt 1 >dev.jsonl
scores test.txt 1 >test.jsonl

echo "== raw"
try "$VOUCH" judge --scores test.jsonl --labels labels.txt $THREADS test.txt | head -n 4
echo "== without words"
"$VOUCH" judge -q --scores test.jsonl --labels labels.txt $THREADS | head -n 3
echo "== constraints, several methods"
"$VOUCH" judge -q --scores test.jsonl --labels labels.txt --constraints -c gamma,kd-fix,wkb --alternatives 2 \
    --header $THREADS test.txt | head -n 3
echo "== calibrated"
"$VOUCH" judge -q --scores dev.jsonl --labels labels.txt --constraints --gold train.txt -o m.judge $THREADS
"$VOUCH" info m.judge | grep -v '^file\|^written'
"$VOUCH" judge -m m.judge --scores test.jsonl --threshold 0.5 $THREADS test.txt 2>&1 | head -n 5
echo "== every command takes it"
"$VOUCH" tag -q -m m.judge --scores test.jsonl $THREADS test.txt >tagged
"$VOUCH" judge -q -m m.judge --scores test.jsonl $THREADS test.txt | cmp - tagged && echo same
"$VOUCH" eval -q -m m.judge --scores test.jsonl --resamples 0 $THREADS test.txt | head -n 10
"$VOUCH" trade -q -m m.judge --scores test.jsonl --precision 0.8 -o point.judge $THREADS test.txt | grep chosen
"$VOUCH" tag -q -m point.judge --scores test.jsonl --operating-point $THREADS test.txt | head -n 2
"$VOUCH" review -q -m m.judge --scores test.jsonl --inspect 3 $THREADS test.txt | cut -f 1-8
try "$VOUCH" active next --pool test.txt -m m.judge --scores test.jsonl -n 1 $THREADS
"$VOUCH" tune -q -m m.judge --scores test.jsonl --coverage 0.9 -o sets.judge $THREADS test.txt | head -n 5
"$VOUCH" judge -q -m sets.judge --scores test.jsonl --sets $THREADS test.txt | head -n 2
echo "== dumped and loaded"
"$VOUCH" dump m.judge | "$VOUCH" load -o again.judge
cmp m.judge again.judge && echo same
echo "== three sets vote"
scores train.txt 3 >dev3.jsonl
scores test.txt 3 >test3.jsonl
"$VOUCH" judge -q --scores dev3.jsonl --labels labels.txt --gold train.txt -o three.judge --json $THREADS |
    grep -e sentences -e words\" | head -n 2
"$VOUCH" judge -q -m three.judge --scores test3.jsonl -c votes,votes+delta,kd-fix,committee $THREADS test.txt |
    head -n 2
