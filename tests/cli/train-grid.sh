# The grid says which values are tried for the methods of confidence; the log, what came of each.
. "$CLI/common"
"$VOUCH" sample --kind np -n 100 >np.txt
for grid in quick paper; do
    "$VOUCH" train -t np -n 1 -q --grid $grid --log log.jsonl $THREADS -o m.vouch np.txt
    "$VOUCH" info --json m.vouch | sed -n '/"parameters": {/,/}/p' | tail -n 8
    "$VOUCH" info m.vouch | grep ^command
    sed -n 's/.*"tried".*"parameter":"\([^"]*\)".*/\1/p' log.jsonl | sort | uniq -c
    grep -m 2 '"s_fix"' log.jsonl
done
try "$VOUCH" train -t np --grid slow -o m.vouch np.txt
