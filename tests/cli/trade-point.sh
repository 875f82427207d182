# A point is chosen, kept in the model, and what it promised is what tagging by it gives.
. "$CLI/common"
corpus
learn -t ner -a cw+crf -n 3 --no-calibrate -o m.vouch train.txt
measured()
{
    "$VOUCH" tag -q -m "$1" $THREADS --operating-point test.txt |
        awk 'NF { print $4, $5 } !NF' | "$VOUCH" eval -q | sed -n 2p
}
"$VOUCH" trade -m m.vouch $THREADS -c gamma,kd-fix --precision 0.8 -o p.vouch test.txt 2>said | grep ^chosen
cat said
measured p.vouch
"$VOUCH" info p.vouch | grep point
"$VOUCH" info --json p.vouch | sed -n '/"operating_point"/,/^  }/p'

# Chunks that are trusted less become O, as with a threshold and a replacement.
method=$("$VOUCH" info --json p.vouch | sed -n 's/.*"method": "\(.*\)".*/\1/p')
threshold=$("$VOUCH" info --json p.vouch | sed -n 's/.*"threshold": \([0-9.]*\).*/\1/p')
"$VOUCH" tag -q -m m.vouch -c $method --threshold $threshold --replace O test.txt >replaced
"$VOUCH" tag -q -m p.vouch --operating-point test.txt | cmp - replaced
"$VOUCH" tag -q -m m.vouch -c $method test.txt | cmp -s - replaced || echo "and some did"

# Towards recall; then with all types as one, in place.
"$VOUCH" trade -q -m m.vouch $THREADS -c kd-fix --direction recall --recall 0.64 -o r.vouch test.txt | grep ^chosen
measured r.vouch
cp m.vouch e.vouch
"$VOUCH" trade -q -m e.vouch $THREADS -c gamma --merge-types --recall 0.95 --in-place test.txt | grep ^chosen
"$VOUCH" tag -q -m e.vouch --operating-point test.txt |
    awk 'NF { gsub(/-[A-Z]*/, "-entity", $4); print $4, $5 } !NF' | "$VOUCH" eval -q | sed -n 2p

# Numbers that are not calibrated, of so many draws, are kept as such.
"$VOUCH" trade -q -m m.vouch -c kd-fix --raw --draws 20 --unit words --precision 0.75 --json -o w.vouch test.txt |
    sed -n '/"operating_point"/,$p'
"$VOUCH" tag -m w.vouch --operating-point --header test.txt 2>&1 >out
head -n 1 out
"$VOUCH" dump w.vouch | "$VOUCH" load -o again.vouch
cmp w.vouch again.vouch

# Spans of JSON: gone, or new and without a number.
cat >in.jsonl <<'END'
{"tokens": [["Mrs", "NNP"], ["Falinon", "NNP"], ["left", "VBD"], ["Washington", "NNP"], [".", "."]]}
{"tokens": []}
{"tokens": [["-DOCSTART-", "X"]]}
{"tokens": [["Mira", "NNP"], ["met", "VBD"], ["Kofen", "NNP"], ["of", "IN"], ["Delta", "NNP"], ["Works", "NNP"]]}
END
for point in p r e; do
    "$VOUCH" tag -q -m $point.vouch $THREADS --operating-point in.jsonl | sed 's/"confidence":{.*/.../'
done
head -n 30 test.txt | "$VOUCH" tag -q -m e.vouch --operating-point --colour | sed -n 2l

# With other numbers the threshold would be another one: tuning drops the point.
"$VOUCH" tune -m p.vouch --in-place --grid quick test.txt 2>&1 >table | sed 's/, [0-9.]* s$//'
try "$VOUCH" tag -m p.vouch --operating-point test.txt
