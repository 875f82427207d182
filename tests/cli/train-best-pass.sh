# --best-pass: each voice is as after its best pass on the dev file, the first of equals; that pass is recorded.
# Release only: models are learned and calibrated for minutes under sanitizers, which other tests reach, too.
. "$CLI/common"
"$VOUCH" sample -n 120 >train.txt
"$VOUCH" sample -n 40 --first 200 --unseen-names >test.txt
"$VOUCH" sample --kind dep -n 40 >train.conllu
"$VOUCH" sample --kind dep -n 20 --first 150 --unseen-names >test.conllu

# The weights and variances of voice $2 in layer $3 of model $1.
weights()
{
    "$VOUCH" dump "$1" | awk -F '\t' -v voice="$2" -v layer="$3" '
        $1 == "node" || $1 == "edge" || $1 == "block" { where = $0; at = $1 == "block" ? $2 : 0 }
        at == layer && ($1 == "mean." voice || $1 == "var." voice) { print where, $0 }'
}

# check LAYER VOICE NAME: of best.vouch, trained by "$@" with some number of passes, against the log and plain training.
check()
{
    layer=$1 voice=$2 name=$3
    shift 3
    pass=$(sed -n 's/.*"event":"kept","voice":"'"$name"'","pass":\([0-9]*\).*/\1/p' log)
    best=$(grep '"event":"pass","voice":"'"$name"'"' log |
        sed 's/\("f1":[0-9.]*\).*/\1/; s/.*"pass":\([0-9]*\),.*:\([0-9.]*\)[^0-9]*$/\1 \2/' |
        sort -s -k 2,2gr | head -n 1 | cut -d ' ' -f 1)
    [ "$pass" = "$best" ] || echo "$name: expected pass $best"
    "$@" -q -n "$pass" -o plain.vouch
    weights best.vouch "$voice" "$layer" >best
    weights plain.vouch "$voice" "$layer" >plain
    [ -s best ] && cmp best plain && echo "$name: as after pass $pass"
}

labels()
{
    "$VOUCH" train --no-calibrate -t ner -a cw+crf train.txt "$@"
}
labels -n 6 --dev test.txt --best-pass --log log -o best.vouch 2>said
grep "kept pass" said
"$VOUCH" info best.vouch | grep -e ^voice -e ^passes -e ^command
check 0 0 cw labels
check 0 1 crf labels
echo "the scores that are kept are those of the pass that is kept:"
"$VOUCH" info --json best.vouch | sed -n '/"dev"/,/^  }/p' | grep -A 3 '"cw"' | grep f1 || true
"$VOUCH" eval -q -m best.vouch test.txt | sed -n 2p

echo "both layers of a parser:"
trees()
{
    "$VOUCH" train --no-calibrate -t dep --bits 12 -a pa+crf train.conllu "$@"
}
trees -n 4 --dev test.conllu --best-pass --log log -o best.vouch 2>said
grep "kept pass" said
check 0 0 "pa arc" trees
check 0 1 "crf arc" trees
check 1 0 "pa relation" trees
check 1 1 "crf relation" trees

echo "calibrated on the same file, whatever the threads; going on from a model:"
"$VOUCH" train -t ner -a crf -n 3 -q --dev test.txt --best-pass $THREADS -o one.vouch train.txt
"$VOUCH" train -t ner -a crf -n 3 -q --dev test.txt --best-pass -j 3 -o three.vouch train.txt
cmp one.vouch three.vouch
"$VOUCH" train --from one.vouch -n 2 --no-calibrate --dev test.txt --best-pass -o from.vouch test.txt 2>&1 |
    grep "kept pass"

echo "interrupted: the best pass that is over"
rm log
"$VOUCH" train --no-calibrate -t ner -a perceptron -n 10000 --dev test.txt --best-pass --log log \
    -o m.vouch train.txt 2>said &
wait_for log '"pass":3,'
end_by INT
grep -c kept said
"$VOUCH" info m.vouch | grep ^voice | sed 's/[0-9][0-9]*/N/g'

try "$VOUCH" train -t ner --best-pass -o m.vouch train.txt
