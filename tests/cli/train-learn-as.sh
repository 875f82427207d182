# The corpus's scheme is recognised; what is learned may be another; answers are in the corpus's own.
. "$CLI/common"
corpus
iob1()
{
    awk 'NF == 0 { last = ""; print; next }
         { type = substr($4, 3); if ($4 ~ /^B/ && last != type) $4 = "I-" type; last = type; print }' "$1"
}
iob1 train.txt >train1.txt
iob1 test.txt >test1.txt
for scheme in iob2 bioes keep; do
    for corpus in '' 1; do
        "$VOUCH" train --no-calibrate -t ner -n 2 -q --learn-as $scheme $THREADS -o m.vouch train$corpus.txt
        echo "$scheme: $("$VOUCH" info m.vouch | grep ^scheme)"
        "$VOUCH" eval -q -m m.vouch $THREADS test$corpus.txt | sed -n 2p
        "$VOUCH" tag -m m.vouch test$corpus.txt | awk 'NF { print substr($5, 1, 1) }' | sort | uniq -c | tr '\n' ';'
        echo
    done
done
