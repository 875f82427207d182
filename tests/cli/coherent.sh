# Probabilities of one answer do not contradict each other, whatever the method, the task, the scheme and the voices:
# a chunk is not surer than its words, a sentence not surer than its parts, nothing is certain, alternatives sum to 1.
# Release only: models are learned and calibrated for minutes under sanitizers, which other tests reach, too.
. "$CLI/common"

# The words of a file as JSON lines, of trees as CoNLL-U.
as_json()
{
    awk 'function quoted(s) { gsub(/["\\]/, "\\\\&", s); return "\"" s "\"" }
        NF { line = line (line ? "," : "") "[" quoted($1) "," quoted($2) "]" }
        !NF && line { print "{\"tokens\":[" line "]}"; line = "" }' "$1"
}

# What contradicts in answers with one method's confidence; prints how much was looked at.
judge_lines()
{
    awk '
        function fault(what) { print what ": " $0; exit 1 }
        function number(s) { sub(/.*:/, "", s); return s + 0 }
        {
            if (!match($0, /"words":\[[^]]*\]/)) fault("no words")
            N = split(substr($0, RSTART + 9, RLENGTH - 10), word, ","); least = 1
            for (i = 1; i <= N; i++) {
                if (!(word[i] > 0 && word[i] < 1)) fault("a word is " word[i])
                if (word[i] + 0 < least) least = word[i] + 0
            }
            rest = $0
            while (match(rest, /"start":[0-9]+,"end":[0-9]+,"label":"[^"]*","confidence":[0-9.e-]+/)) {
                span = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
                split(span, part, ",")
                p = number(part[4])
                if (!(p > 0 && p < 1)) fault("a chunk is " p)
                for (i = number(part[1]) + 1; i <= number(part[2]); i++)
                    if (p > word[i] + 0) fault("a chunk is surer than its word")
                if (p < least) least = p
                spans++
            }
            match($0, /"sentence":[0-9.e-]+/); p = number(substr($0, RSTART, RLENGTH))
            if (!(p > 0 && p <= least)) fault("a sentence is surer than a part of it")
            rest = substr($0, index($0, "\"alternatives\":")); n = split(rest, list, /\],\[/)
            if (n != N) fault("alternatives")
            for (i = 1; i <= n; i++) {
                sum = 0; own = 0
                while (match(list[i], /"probability":[0-9.e-]+/)) {
                    p = number(substr(list[i], RSTART, RLENGTH)); sum += p
                    if (p == word[i] + 0) own = 1
                    list[i] = substr(list[i], RSTART + RLENGTH)
                }
                if (sum > 1 + 1e-5 || !own) fault("alternatives of word " i)
            }
        }
        END { print NR " sentences, " (spans ? "with" : "without") " chunks" }'
}

# The same of trees, in CoNLL-U.
judge_trees()
{
    awk -F '\t' '
        function fault(what) { print what " in line " NR; exit 1 }
        /^# conf = / { sentence = substr($0, 10) + 0; least = 1; words = 0 }
        NF > 9 {
            if (!match($10, /HeadConf=[0-9.e-]+/)) fault("no head")
            p = substr($10, RSTART + 9, RLENGTH - 9) + 0; words++
            if (p < least) least = p
            if (!(p > 0 && p <= 1)) fault("a head is " p)
        }
        !NF && words {
            if (!(sentence > 0 && sentence <= least && (sentence < 1 || words == 1))) fault("a sentence")
            n++
        }
        END { print n " trees" }'
}

for kind in ner np pos; do
    "$VOUCH" sample --kind $kind -n 150 >$kind.txt
    "$VOUCH" sample --kind $kind -n 40 --first 700 --unseen-names >$kind.test
    as_json $kind.test >$kind.jsonl
done
while read -r kind how; do
    "$VOUCH" train -q -t $kind $how -n 2 $THREADS -o m.vouch $kind.txt
    for method in delta gamma kb wkb kd-fix kd-pc kd-fix+delta kd-pc+delta random committee committee+text; do
        case "$how $method" in *crf*kd-pc*) continue ;; esac
        printf '%s %s %s: ' "$kind" "$how" $method
        "$VOUCH" tag -q -m m.vouch --confidence $method --alternatives 40 $kind.jsonl | judge_lines
    done
done <<MODELS
ner -a cw
ner -a crf+cw
ner -a cw --learn-as bioes
np -a pa+crf
pos -a cw
MODELS
"$VOUCH" sample --kind dep -n 60 >dep.txt
"$VOUCH" sample --kind dep -n 20 --first 700 >dep.test
"$VOUCH" train -q -t dep -a cw -n 2 $THREADS -o m.vouch dep.txt
for method in delta gamma kb kd-fix+delta kd-pc committee committee+text; do
    printf 'dep %s: ' $method
    "$VOUCH" parse -q -m m.vouch --confidence $method --format conllu dep.test | judge_trees
done
