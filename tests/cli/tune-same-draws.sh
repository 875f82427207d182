# Saving numbers a tagger's features anew, but drawn models and simulated losses stay the same: calibrating on a
# development file before the model is saved, and from the file, finds the same.
. "$CLI/common"

# All that was fitted.
fitted()
{
    "$VOUCH" info --json "$1" | awk '
        /^  [^ ]/ { inside = /"confidence"/; skip = 0 }
        /^    "[^"]*": / { skip = /"(files|command)"/ }
        inside && !skip { sub(/,$/, ""); print }'
}

# same PLAIN OPTIONS: PLAIN is --plain-draws or nothing.
same()
{
    plain=$1
    shift
    "$VOUCH" train -q $THREADS --dev test.txt -n 2 -o m.vouch $plain "$@" train.txt 2>/dev/null
    "$VOUCH" tune -q $THREADS --grid quick -m m.vouch -o t.vouch $plain test.txt >/dev/null 2>&1
    fitted m.vouch >before
    fitted t.vouch >after
    grep -c '"kd-' before
    grep -o '"paired": [a-z]*' before | sort -u
    cmp before after
    "$VOUCH" dump m.vouch | "$VOUCH" load -o l.vouch
    "$VOUCH" tag -q --raw --confidence kd-fix -m m.vouch test.txt >one
    "$VOUCH" tag -q --raw --confidence kd-fix -m l.vouch test.txt | cmp - one
}

corpus
echo "== two voices, features that are left out"
same "" -t ner -a cw+crf
same --plain-draws -t ner -a cw+crf
echo "== rare features are cut"
same "" -t ner -a cw --cutoff 2
echo "== features of pairs of labels look at words"
printf 'U00:%%x[0,0]\nU01:%%x[-1,0]\nU02:%%x[0,1]/%%x[1,1]\nB\nB00:%%x[0,1]\n' >pairs.template
same "" -t ner -a cw --template pairs.template
same --plain-draws -t ner -a cw --template pairs.template
echo "== ready-made attributes"
for file in train test; do
    awk 'NF { print $NF "\tw=" $1 "\tp=" $2 "\tp=" $2 "|w=" $1; next } { print "" }' $file.txt >$file.crfsuite
    mv $file.crfsuite $file.txt
done
same "" -t ner -a cw --format crfsuite
echo "== more labels than a run of noise has parts"
corpus pos
same "" -t pos -a cw
same --plain-draws -t pos -a cw
