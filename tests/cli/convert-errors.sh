# What cannot be converted, with its place.
. "$CLI/common"
printf 'Ada B-PER\nleft O\n' >a.conll
doccano() {
    printf '{"text": "Ada Lovelace left.", "label": %s}\n' "$1" >d.jsonl
    try "$VOUCH" convert --to conll ${2-} d.jsonl
}
try "$VOUCH" convert a.conll
try "$VOUCH" convert --to conll
try "$VOUCH" convert --to doccanoo a.conll
try "$VOUCH" convert --to conll --from gliner a.conll
try "$VOUCH" convert --to brat a.conll
try "$VOUCH" convert --to conll none.jsonl
try "$VOUCH" convert --to jsonl --json a.conll
echo '{"text": "just a text"}' >unclear.jsonl
try "$VOUCH" convert --to conll unclear.jsonl

mkdir folder
try "$VOUCH" convert --to conll folder
try "$VOUCH" convert --to conll --from brat folder

# Edges and overlaps.
doccano '[[0, 8, "PER"]]'
doccano '[[0, 8, "PER"]]' '--edges cut'
doccano '[[0, 8, "PER"]]' '--edges widen'
doccano '[[0, 4, "PER"]]'
doccano '[[3, 4, "PER"]]'
doccano '[[0, 12, "PER"], [4, 12, "FAMILY"]]'
doccano '[[0, 12, "PER"], [4, 12, "FAMILY"]]' '--overlaps longest'
doccano '[[5, 99, "PER"]]'
doccano '[[5, 4, "PER"]]'
doccano '[["a", 4, "PER"]]'
doccano '[[0, 3, ""]]'
doccano '[[0, 3]]'

# Texts that are not where they are said to be.
task() {
    printf '[{"data": {"text": "Ada left"}, "annotations": [{"result": [%s]}]}]' "$1" >t.json
    try "$VOUCH" convert --to conll t.json
}
task '{"id": "a", "type": "labels", "value": {"start": 0, "end": 2, "text": "Ada", "labels": ["X"]}}'
task '{"type": "relation", "from_id": "a", "to_id": "b"}'
printf '[{"data": {"text": "Ada"}, "annotations": []},\n\n {"data": 7, "annotations": []}]' >t.json
try "$VOUCH" convert --to conll t.json
printf '[{"data": {"text": "Ada"}, "annotations": []},\n {"data": ' >t.json
try "$VOUCH" convert --to conll t.json
printf '{"text": "Ada", "tokens": [{"text": "Bob", "start": 0, "end": 3}], "spans": []}' >p.jsonl
try "$VOUCH" convert --to conll p.jsonl
printf '{"text": "Ada", "spans": [], "answer": "maybe"}' >p.jsonl
try "$VOUCH" convert --to conll p.jsonl
printf 'Ada met Bo.' >b.txt
for line in 'T1\tPER 0 3;8 10\tAda Bo' 'T1\tPER 0 3\tBob' 'T1\tPER 0 99\tAda' 'T1\tPER 0\tAda' 'hello' \
    'R1\tr Arg1:T1 Arg2:T2'; do
    printf "T9\tX 4 7\tmet\n$line\n" >b.ann
    try "$VOUCH" convert --to conll b.ann
done
rm b.txt
try "$VOUCH" convert --to conll b.ann
printf '{"tokens": ["a", "b"], "ner_tags": [0, 1]}\n' >h.jsonl
try "$VOUCH" convert --to conll h.jsonl
try "$VOUCH" convert --to conll --names O,PER h.jsonl
printf '{"tokens": ["a", "b"], "ner_tags": ["O"]}\n' >h.jsonl
try "$VOUCH" convert --to conll h.jsonl
printf '{"tokens": ["a b\\tc"], "ner_tags": ["O"]}\n' >h.jsonl
try "$VOUCH" convert --to conll h.jsonl
printf '{"tokenized_text": ["a"], "ner": [[0, 1, "X"]]}\n' >g.json
try "$VOUCH" convert --to conll g.json
printf '1\ta\t_\t_\t_\t_\t3\tx\t_\t_\n' >u.conllu
try "$VOUCH" convert --to jsonl u.conllu
printf '{"tokens": ["a"], "labels": ["B-X"], "entities": [{"from": 0, "to": 1, "label": "Y"}]}\n' >o.jsonl
try "$VOUCH" convert --to conll o.jsonl
printf '\377' >bytes.conll
try "$VOUCH" convert --to jsonl bytes.conll
printf '{"data": {"text": "Ada left."}, "annotations": [{"result": [{"type": "labels", "value": ' >t.json
printf '{"start": 0, "end": 3, "labels": ["PER"]}}]}]}\n' >>t.json
try "$VOUCH" convert --offsets bytes --to conll t.json
