# Ctrl-C in cross-validation or tuning ends it soon, and not only when a run of 10000 passes is over.
# There is nothing to save, and that is said.
. "$CLI/common"
"$VOUCH" sample -n 100 >train.txt
stop()
{
    # --foreground: the signal reaches the program once; otherwise timeout sends it to the process and to its group.
    timeout --foreground -s KILL 20 "$@" >printed 2>said &
    sleep 1
    kill -INT $!
    status=0
    wait $! || status=$?
    echo "exit $status"
    cat printed
    grep -v -e '^read' -e ' pass ' said || true
}
stop "$VOUCH" eval --folds 10 -t ner -n 10000 train.txt
stop "$VOUCH" train --no-calibrate --tune -t ner -n 10000 -o m.vouch train.txt
rm printed said
ls -A
