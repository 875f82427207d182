# A file that may not grow: the error tells this, and nothing is left behind.
. "$CLI/common"
corpus
learn -t ner -n 1 --no-calibrate -o m.vouch train.txt
"$VOUCH" dump m.vouch >m.txt
(
    ulimit -f 8
    try "$VOUCH" train --no-calibrate -t ner -n 1 -q -o small.vouch train.txt
    try "$VOUCH" load -o small.vouch m.txt
    try "$VOUCH" dump -o small.txt m.vouch
    status=0
    "$VOUCH" dump m.vouch >small.txt 2>said || status=$?
    cat said
    echo "exit $status"
)
rm small.txt said
ls -A
