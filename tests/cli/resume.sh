# What --checkpoint and --resume say, and what they refuse.
. "$CLI/common"
corpus

# Trains, with fewer passes and without calibration, and says how it went.
train()
{
    try "$VOUCH" train -t ner -n 2 --no-calibrate "$@" train.txt | sed 's/, [0-9.]* s$//'
}

# Interrupts a long training after its first pass.
interrupted()
{
    : >said # of an earlier one
    "$VOUCH" train -t ner -n 5000 "$@" train.txt 2>said &
    wait_until grep -q 'pass  1/' said
    end_by INT
    tail -n 2 said | sed 's/, [0-9.]* s$//'
}

echo "== nothing yet"
train --resume -o m.vouch
train --checkpoint kept --resume -o m.vouch
ls

echo "== interrupted: the model so far is saved, and the checkpoint stays"
interrupted --checkpoint kept -o m.vouch
ls kept
"$VOUCH" info --json m.vouch | grep '"interrupted"'
interrupted --resume -o other.vouch
ls -d other.vouch*
rm -r other.vouch*

echo "== refused"
train --checkpoint kept -o m.vouch
train --checkpoint kept --resume -o m.vouch
try "$VOUCH" train -t ner -n 5000 --checkpoint kept --resume -o m.vouch test.txt
echo >>train.txt
echo 'Ada NNP I-NP I-PER' >>train.txt
try "$VOUCH" train -t ner -n 5000 --checkpoint kept --resume -o m.vouch train.txt 2>&1 | sed 's/[0-9a-f]\{16\}/DIGEST/g'
corpus
try "$VOUCH" train -t ner -a pa -n 5000 --checkpoint kept --resume -o m.vouch train.txt
cp -r kept cut
head -c 5000 kept/model-label-crf.voice >cut/model-label-crf.voice
try "$VOUCH" train -q -t ner -n 5000 --checkpoint cut --resume -o m.vouch train.txt
head -c 100 kept/plan.json >cut/plan.json
try "$VOUCH" train -q -t ner -n 5000 --checkpoint cut --resume -o m.vouch train.txt
try "$VOUCH" train -q -t ner --checkpoint . -o m.vouch train.txt
try "$VOUCH" train -q -t ner --checkpoint train.txt -o m.vouch train.txt
try "$VOUCH" train -q -t ner --checkpoint no/such/folder -o m.vouch train.txt
ls

echo "== a first try that was killed too soon is forgotten"
rm kept/*.voice
train --checkpoint kept -o m.vouch
mkdir kept
: >kept/.made
train --checkpoint kept --resume -o m.vouch
ls -A

echo "== checkpoints that cannot be written are given up; the model, which goes into a pipe, is the same"
"$VOUCH" train -q -t ner -n 4 -o whole.vouch train.txt
for threads in 1 2; do
    (
        trap '' XFSZ
        ulimit -f 8
        exec "$VOUCH" train -t ner -n 4 -j $threads --checkpoint kept -o - train.txt
    ) 2>said | cat >piped.vouch
    sed -n 's/held-out[-a-z0-9]*\|model[-a-z]*/VOICE/; /warning: kept/p' said
    cmp whole.vouch piped.vouch
done
ls -A
