# A model is overwritten while programs use it: they continue with the one that they opened.
. "$CLI/common"
corpus
learn -t ner -n 2 --no-calibrate -o good.vouch train.txt
learn -t ner -n 1 --no-calibrate -o other.vouch test.txt
"$VOUCH" tag -m good.vouch test.txt >expected
mkfifo questions

# Asks for one sentence, does "$@" to m.vouch, and asks for the rest.
replace()
{
    cp good.vouch m.vouch
    rm -f answers # of the last time, which wait_for would take for this one's
    "$VOUCH" tag -m m.vouch --format conll <questions >answers &
    exec 3>questions
    sed '/^$/q' test.txt >&3
    wait_for answers .
    "$@"
    sed '1,/^$/d' test.txt >&3
    exec 3>&-
    status=0
    wait $! || status=$?
    echo "$*: exit $status"
    cmp expected answers
}
replace truncate -s 0 m.vouch
replace cp other.vouch m.vouch
replace mv other.vouch m.vouch
rm questions
ls -A
