# Ctrl-C ends a simulation soon, with what was measured; before the first measurement there is no result.
. "$CLI/common"
"$VOUCH" sample -n 300 >pool.txt
"$VOUCH" sample -n 20 --first 300 >test.txt
stop()
{
    "$@" >printed 2>said &
    wait_until has_worked $!
    end_by INT
    head -n 5 printed
    grep -v -e '^read' said | sed 's/^[0-9.]* s; //'
}
stop "$VOUCH" active -t ner --pool pool.txt --test test.txt --candidates 300 --choose 1 --passes 1 --most 200 \
    --every 1000 --scratch -c kd-fix --draws 1000 --initial 20
stop "$VOUCH" active -t ner --pool pool.txt --test test.txt --passes 10000 -c kd-fix
