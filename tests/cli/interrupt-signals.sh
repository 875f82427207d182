# A terminal that is gone (SIGHUP) and a request to end (SIGTERM) are like Ctrl-C: what was learned is saved, status 3.
# A program that was started by nohup ignores the first.
. "$CLI/common"
corpus
begin()
{
    rm -f log m.vouch
    "$@" train --no-calibrate -t ner -a perceptron -n 10000 --log log -o m.vouch train.txt 2>said &
    wait_for log '"pass":1,'
}
end()
{
    status=0
    wait $! || status=$?
    echo "exit $status, $("$VOUCH" info --verify m.vouch | tail -n 1)"
}
for signal in HUP TERM; do
    begin "$VOUCH"
    kill -$signal $!
    end
done
begin nohup "$VOUCH"
kill -HUP $!
pass=$(tail -n 1 log | sed 's/.*"pass":\([0-9]*\).*/\1/')
wait_for log "\"pass\":$((pass + 3)),"
kill -TERM $!
end
# Two of them end the program at once, be they different ones, and no file is left behind. A thousand answers a sentence
# make a pass last long enough to be caught in it.
"$VOUCH" sample -n 1000 >train.txt
for first in INT HUP; do
    rm said # what the run before has said is not to be waited for
    "$VOUCH" train --no-calibrate -t ner -a pa -k 1000 -n 100 -o two.vouch train.txt 2>said &
    wait_for said '^read'
    kill -$first $!
    wait_until does_not_catch $!
    kill -INT $! || echo "the first one was enough"
    status=0
    wait $! || status=$?
    [ $status -le 128 ] || echo "killed"
done
rm -f said log
ls -A
