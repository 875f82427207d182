# A column that holds what training never saw in it, such as gold labels where parts of speech were, gets a warning.
. "$CLI/common"
corpus
learn -t ner --no-calibrate -o ner.vouch train.txt
"$VOUCH" info --json ner.vouch | sed -n '/"columns": {/,/\[/p'
said() { "$VOUCH" tag -m ner.vouch $THREADS "$@" 2>&1 > /dev/null; }

echo '--- words and labels, of which the model takes the labels for parts of speech'
awk 'NF { print $1, $NF } !NF' test.txt > two.txt
said two.txt
said -q two.txt
awk 'NF { printf "%s[\"%s\", \"%s\"]", n++ ? ", " : "{\"tokens\": [", $1, $NF } !NF && n { print "]}"; n = 0 }' \
    two.txt > two.jsonl
said two.jsonl | cut -c 1-60

echo '--- nothing to say'
said test.txt                             # new words are no news
head -n 5 two.txt > few.txt && said few.txt
awk 'NF { $2 = ++n % 3 ? $2 : "X" } { print }' test.txt > some.txt && said some.txt

echo '--- what was learned later counts as well'
awk 'NF { $2 = "P-" $2 } { print }' train.txt > other.txt
"$VOUCH" train -q --from ner.vouch --no-calibrate -o more.vouch other.txt
awk 'NF { $2 = "P-" $2 } { print }' test.txt > prefixed.txt
said prefixed.txt
"$VOUCH" tag -m more.vouch prefixed.txt 2>&1 > /dev/null
"$VOUCH" tag -m more.vouch test.txt 2>&1 > /dev/null

echo '--- many values are not kept'
awk 'NF { $2 = "v" ++n } { print }' train.txt > many.txt
learn -t ner --no-calibrate -o many.vouch many.txt
"$VOUCH" info --json many.vouch | grep -c '"columns"' || true
"$VOUCH" tag -m many.vouch two.txt 2>&1 > /dev/null
