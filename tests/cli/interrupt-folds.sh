# Ctrl-C in cross-validation or tuning ends it soon: a run of 10000 passes, let alone ten, would be too long.
# There is nothing to save, and that is said.
. "$CLI/common"
"$VOUCH" sample -n 300 >train.txt
stop()
{
    "$@" >printed 2>said &
    wait_until has_worked $!
    end_by INT
    cat printed
    grep -v -e '^read' -e ' pass ' said || true
}
stop "$VOUCH" eval --folds 10 -t ner -n 10000 train.txt
stop "$VOUCH" train --no-calibrate --tune -t ner -n 10000 -o m.vouch train.txt
rm printed said
ls -A
