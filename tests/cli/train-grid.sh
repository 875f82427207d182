# The grid says which values are tried for the methods of confidence.
. "$CLI/common"
"$VOUCH" sample --kind np -n 100 >np.txt
for grid in quick paper; do
    "$VOUCH" train -t np -n 1 -q --grid $grid $THREADS -o m.vouch np.txt
    "$VOUCH" info --json m.vouch | sed -n '/"parameters": {/,/}/p' | tail -n 8
    "$VOUCH" info m.vouch | grep ^command
done
try "$VOUCH" train -t np --grid slow -o m.vouch np.txt
