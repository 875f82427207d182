# The tasks: their features and what they take for a label.
. "$CLI/common"
for task in chunk np; do
    echo "--task $task"
    corpus chunk
    "$VOUCH" train --no-calibrate -t $task -n 2 -q $THREADS -o m.vouch train.txt
    "$VOUCH" info m.vouch | grep -e ^labels -e ^features
    "$VOUCH" eval -q -m m.vouch $THREADS test.txt
done
