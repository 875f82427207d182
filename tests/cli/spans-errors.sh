# What is wrong with spans is said with file, line and item.
. "$CLI/common"
refuse()
{
    printf '%s\n' "$1" >spans
    shift
    try "$VOUCH" eval -q --resamples 0 "$@" --answers spans
}
span='"start": 0, "end": 3, "label": "PER"'
refuse '{"text": "Ada", "spans": [{'"$span"'}], "gold": []}'
refuse '{"text": "Ada", "spans": [{'"$span"', "score": "0.5"}], "gold": []}'
refuse '{"text": "Ada", "spans": [{'"$span"', "score": 0.5}]}'
refuse '{"text": "Ada", "spans": [{"start": 0, "end": 4, "label": "PER", "score": 1}], "gold": []}'
refuse '{"text": "Ada", "spans": [{"start": 2, "end": 2, "label": "PER", "score": 1}], "gold": []}'
refuse '{"text": "Ada", "spans": [{"start": -1, "end": 2, "label": "PER", "score": 1}], "gold": []}'
refuse '{"text": "Ada", "spans": [{"start": 0.5, "end": 2, "label": "PER", "score": 1}], "gold": []}'
refuse '{"text": "Ada", "spans": [{"start": 0, "label": "PER", "score": 1}], "gold": []}'
refuse '{"text": "Ada", "spans": [{"label": "PER", "score": 1}], "gold": []}'
refuse '{"spans": [{"text": "Ada", "label": "PER", "score": 1}], "gold": []}'
refuse '{"text": "Ada", "spans": [{"start": 0, "end": 3, "score": 1}], "gold": []}'
refuse '{"text": "Ada", "spans": [{"start": 0, "end": 3, "label": "", "score": 1}], "gold": []}'
refuse '{"text": "Ada", "spans": [7], "gold": []}'
refuse '{"text": "Ada", "spans": {"a": 1}, "gold": []}'
refuse '{"text": 5, "spans": [], "gold": []}'
refuse '{"text": "Ada", "spans": [], "gold": 3}'
refuse '{"text": "Ada", "spans": [], "gold": [{"label": "PER"}]}'
refuse '{"text": "Ada", "spans": [], "gold": []}
{"text": "Ada", "gold": []}'
refuse '{"text": "Ada", "spans": [], "gold": []}
{"text": "Ada", "spans": ['
refuse '{"text": "Ada", "votes": [[]], "gold": []}'
refuse '[[{"start": 0, "end": 3, "label": "PER", "score": 1}], []]'
refuse '{"text": "Ada", "spans": [], "gold": []}'
refuse '{"text": "Zoë Bo", "spans": [{"start": 5, "end": 7, "text": "Bo", "label": "PER", "score": 1}], "gold": []}'
refuse '{"text": "Zoë Bos", "spans": [{"start": 5, "end": 7, "text": "Bo", "label": "PER", "score": 1}], "gold": []}'
refuse '{"text": "😀 Bos", "spans": [{"start": 3, "end": 5, "text": "Bo", "label": "PER", "score": 1}], "gold": []}'
refuse '{"text": "Ada", "spans": [{'"$span"', "score": 0.5}], "gold": []}' --log
refuse '{"text": "Ada", "spans": [{'"$span"', "score": 0.5}], "gold": []}' --columns 1,2,3
refuse '{"text": "Ada", "spans": [{'"$span"', "score": 0.5}], "gold": []}' --columns gold,mine,score
refuse '{"text": "Ada", "spans": [{'"$span"', "score": 0.5}], "gold": []}' --report page.html
for i in 1 2 3 4 5 6 7 8 9 10 11; do
    echo '{"text": "Ada", "spans": [{'"$span"', "score": 0.5}], "gold": [{"start": 0, "end": 3, "label": "person"}]}'
done >types
try "$VOUCH" eval -q --answers types
echo '{"text": "Ada", "gold": []}' >gold
printf '{"text": "Ada", "spans": []}\n{"text": "Bo", "spans": []}\n' >spans
try "$VOUCH" eval -q --answers spans gold
printf '{"text": "Ada", "gold": []}\n{"text": "Bob", "gold": []}\n' >gold
try "$VOUCH" eval -q --answers spans gold
printf '{"text": "Ada", "gold": []}\n{"text": "Bo", "gold": []}\n{"text": "Cy", "gold": []}\n' >gold
try "$VOUCH" eval -q --answers spans gold

echo "calibrations:"
for i in 1 2 3 4 5 6 7 8 9; do
    echo '{"text": "Ada Bo", "spans": [{'"$span"', "score": 0.'$i'},
{"start": 4, "end": 6, "label": "PER", "score": 0.'$i'5}], "gold": [{'"$span"'}]}' | tr -d '\n'
    echo
done >few.jsonl
try "$VOUCH" tune --answers few.jsonl -o few.json
printf 'a O O 0.5\nb O B-X 0.2\n\nc O O 0.9\n' >words
try "$VOUCH" tune -q --answers words -o words.json
try "$VOUCH" tag --answers few.jsonl -m words.json
try "$VOUCH" tag --answers words -m few.json
try "$VOUCH" eval -q --answers few.jsonl -m words.json
try "$VOUCH" eval -q --answers words -m few.json
try "$VOUCH" tag --answers few.jsonl -m few.json --format conllu
try "$VOUCH" tag --answers few.jsonl -m few.json --operating-point
try "$VOUCH" tag --answers few.jsonl -m few.json --operating-point --threshold 0.5
try "$VOUCH" tag --answers words -m words.json --threshold 0.5
"$VOUCH" tag --answers few.jsonl -m few.json >tagged
try "$VOUCH" tag --answers tagged -m few.json
sed 's/0\.9/7.9/' few.jsonl >margins
try "$VOUCH" tag --answers margins -m few.json
sed 's/"spans":/"sp\\u0061ns":/' few.jsonl >escaped
try "$VOUCH" tag --answers escaped -m few.json
sed 's/"by": "score"/"by": "stars"/' few.json >damaged
try "$VOUCH" tag --answers few.jsonl -m damaged
try "$VOUCH" trade --answers words
try "$VOUCH" trade --answers few.jsonl --direction recall
try "$VOUCH" trade --answers few.jsonl --confidence gamma
try "$VOUCH" trade --answers few.jsonl --precision 0.5 -o point.json
try "$VOUCH" trade --answers few.jsonl --precision 0.5 --guarantee 0.5 -m few.json
sed 's/$/\r/' few.jsonl | tac >copy.jsonl # a copy is known by its texts
try "$VOUCH" trade --answers copy.jsonl --precision 0.5 --guarantee 0.5 -m few.json
cat few.jsonl few.jsonl | awk '{ sub("Ada Bo", "Ada B" (NR - 1) % 9); print }' >twice.jsonl
try "$VOUCH" trade -q --answers twice.jsonl --precision 0.1 --guarantee 0.5
try "$VOUCH" trade -m few.json --log few.jsonl
try "$VOUCH" trade --answers few.jsonl --gold 2
ls
