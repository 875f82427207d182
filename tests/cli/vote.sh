# Votes on spans and on trees: of one file of lists, and of several files.
. "$CLI/common"
recorded=$(dirname "$CLI")/../examples/answers

said() { printf '{"text": "%s", "label": "%s"}' "$@"; }
{
    printf '{"id": "a", "text": "Ada of Rome", "votes": [[%s, %s], [%s], [%s, %s, %s]]}\n' "$(said Rome LOC)" \
        "$(said Ada PER)" "$(said 'Ada of Rome' PER)" "$(said Ada PER)" "$(said Ada PER)" "$(said Oslo LOC)"
    printf '{"text": "Bo and Bo", "votes": [[%s, %s], [{"start": 7, "end": 9, "label": "LOC"}]]}\n' \
        "$(said Bo PER)" "$(said Bo PER)"
    printf '{"text": "", "votes": [[], []], "gold": []}\n'
} >sampled.jsonl
"$VOUCH" vote sampled.jsonl
"$VOUCH" vote - <sampled.jsonl | head -n 1 | cut -c 1-20
# The answers of three programs; the keys of the first file stay.
{
    printf '{"text": "Ada of Rome", "entities": [%s], "id": [1, 2]}\n' \
        '{"entity_group": "PER", "score": 0.9, "word": "Ada", "start": 0, "end": 3}'
    printf '{"text": "none", "entities": [], "id": null}\n'
} >one
printf '[{"entity_type": "PER", "start": 0, "end": 3, "score": 0.85}]\n[]\n' >two
printf '{"mine": [{"label": "PER", "text": "Ada of Rome"}]}\n{"mine": []}\n' >three
"$VOUCH" vote one two two
"$VOUCH" vote two one
try "$VOUCH" vote one two three
sed 's/"mine"/"spans"/' three >four
"$VOUCH" vote one two four -o voted.jsonl
cat voted.jsonl
sed 's/"entities"/"mine"/' one >five
"$VOUCH" vote --columns ,mine, five three
# Votes are counted, calibrated and measured.
for part in dev test; do "$VOUCH" vote "$recorded/sampled-$part.jsonl.gz" -o $part.jsonl; done
"$VOUCH" tune -q --answers dev.jsonl -o votes.json
"$VOUCH" eval -q --resamples 0 --answers test.jsonl | sed -n '1,2p; /^confidence/p'
"$VOUCH" eval -q --resamples 0 --answers test.jsonl -m votes.json | sed -n '/^confidence/p'
"$VOUCH" tag --answers test.jsonl -m votes.json | head -n 1 | sed 's/.*"spans"/"spans"/'

# Trees: two that agree outvote the third, and the result is a tree.
tree() { awk -v heads="$1" 'BEGIN { n = split(heads, h, " "); for (i = 1; i <= n; i++) { split(h[i], part, ":")
    printf "%d\tw%d\t_\tX\t_\t_\t%d\t%s\t_\t_\n", i, i, part[1], part[2] } print "" }'; }
tree '2:det 0:root 2:obj' >a.conllu
tree '2:det 0:root 1:iobj' >b.conllu
tree '0:root 1:dep 2:obj' >c.conllu
"$VOUCH" vote a.conllu b.conllu c.conllu
"$VOUCH" vote c.conllu a.conllu b.conllu | cut -f 7,8 | head -n 5
"$VOUCH" vote a.conllu b.conllu c.conllu >voted.conllu
"$VOUCH" vote - b.conllu c.conllu <a.conllu | cmp - voted.conllu && echo "trees from a pipe: the same"
"$VOUCH" eval -q --resamples 0 --answers voted.conllu a.conllu | sed -n 1,4p
"$VOUCH" tune -q --answers voted.conllu -o heads.json a.conllu
"$VOUCH" tag --answers voted.conllu -m heads.json

echo "errors:"
try "$VOUCH" vote
try "$VOUCH" vote a.conllu
try "$VOUCH" vote missing
try "$VOUCH" vote a.conllu missing
tree '2:det 0:root' >short.conllu
try "$VOUCH" vote a.conllu short.conllu
cat a.conllu a.conllu >long.conllu
try "$VOUCH" vote a.conllu long.conllu
sed 's/w2/W2/' a.conllu >other.conllu
try "$VOUCH" vote a.conllu other.conllu
for line in '{"text": "Ada"}' '{"votes": 3}' '{"votes": []}' '{"votes": [3]}' '{"votes": [[3]]}' \
    '{"votes": [[]], "spans": []}' '{"votes": [[{"label": "PER", "start": 0, "end": 1}]], "text": ""}' \
    '{"votes": [[{"label": "X", "text": "Ada"}]]}'; do
    echo '{"votes": [[]]}' >wrong
    echo "$line" >>wrong
    try "$VOUCH" vote wrong
done
head -n 1 two >fewer
try "$VOUCH" vote one fewer
try "$VOUCH" vote fewer one
sed 's/none/nine/' one >text
try "$VOUCH" vote one text
sed 's/"entities"/"entit\\u0069es"/' one >escaped
try "$VOUCH" vote escaped two
echo '{"text": ' >>two
try "$VOUCH" vote one two
