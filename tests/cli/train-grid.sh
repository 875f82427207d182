# The grid sets which values are tried for the methods of confidence; the log has the result of each.
# Release only: slow under sanitizers, which reach the same code in tune.
. "$CLI/common"
"$VOUCH" sample --kind np -n 100 >np.txt
for grid in quick full paper; do
    "$VOUCH" train -t np -n 1 -q --grid $grid --log log.jsonl $THREADS -o m.vouch np.txt
    "$VOUCH" info --json m.vouch | sed -n '/"parameters": {/,/}/p' | tail -n 8
    "$VOUCH" info m.vouch | grep ^command
    sed -n 's/.*"tried".*"parameter":"\([^"]*\)".*/\1/p' log.jsonl | sort | uniq -c
    grep -m 2 '"s_fix"' log.jsonl
done

# The paper's own values: 20 of s from 0.01 to 1, 30 of c from 0.01 to 3, in no unit, whatever the weights are.
for parameter in s_fix s_pc c K_best; do
    sed -n "s/.*\"$parameter\",\"value\":\([0-9.]*\).*/\1/p" log.jsonl | paste -s -d ' '
done
try "$VOUCH" train -t np --grid slow -o m.vouch np.txt
