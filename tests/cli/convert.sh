# Annotated texts of other tools: files as each tool writes them, there and back.
. "$CLI/common"
line() { # one line of several
    tr '\n' ' ' | sed 's/ $//'
    echo
}

# Label Studio: an export with two annotators, a prediction and a task that nobody has looked at.
cat >tasks.json <<'END'
[{"id": 3, "data": {"text": "Zoë 😀 met Ada Lovelace in Bonn. She left.", "source": "web"}, "meta": {},
  "annotations": [{"id": 1, "completed_by": 1, "was_cancelled": false, "lead_time": 4.2, "result": [
    {"id": "a1", "from_name": "label", "to_name": "text", "type": "labels", "origin": "manual",
     "value": {"start": 10, "end": 22, "text": "Ada Lovelace", "labels": ["PER"]}},
    {"id": "a2", "from_name": "label", "to_name": "text", "type": "labels", "meta": {"text": ["which one?"]},
     "value": {"start": 26, "end": 31, "text": "Bonn.", "labels": ["LOC"]}},
    {"from_id": "a1", "to_id": "a2", "type": "relation", "direction": "right", "labels": ["in"]},
    {"id": "a3", "from_name": "mood", "to_name": "text", "type": "choices", "value": {"choices": ["good"]}}]},
   {"id": 2, "completed_by": {"id": 2, "email": "b@example.org"}, "was_cancelled": true, "result": []}],
  "predictions": [{"model_version": "m1", "score": 0.5, "result": [
    {"id": "p1", "from_name": "label", "to_name": "text", "type": "labels", "score": 0.75,
     "value": {"start": 0, "end": 3, "text": "Zoë", "labels": ["PER"]}}]}]},
 {"id": 4, "data": {"text": "Nobody looked."}, "annotations": [], "predictions": []}]
END
try "$VOUCH" convert --to conll tasks.json
try "$VOUCH" convert --to conll --predictions tasks.json
try "$VOUCH" convert --to jsonl tasks.json
try "$VOUCH" convert --all --to jsonl tasks.json -o tasks.jsonl
cat tasks.jsonl
try "$VOUCH" convert --to label-studio tasks.jsonl -o again.json
cat again.json
try "$VOUCH" convert --all --to jsonl again.json -o again.jsonl
cmp tasks.jsonl again.jsonl

# UTF-16 offsets, proved by the text of the region.
sed 's/"start": 10, "end": 22/"start": 11, "end": 23/' tasks.json >utf16.json
"$VOUCH" convert -q --all --to jsonl utf16.json -o utf16.jsonl
cmp tasks.jsonl utf16.jsonl

# doccano, with and without relations.
cat >doccano.jsonl <<'END'
{"id": 1, "text": "Ada met Bo.", "label": [[0, 3, "PER"], [8, 10, "PER"]], "Comments": ["fine"]}
END
line >relations.jsonl <<'END'
{"id": 1, "text": "Ada met Bo.", "entities": [{"id": 5, "label": "PER", "start_offset": 0, "end_offset": 3},
{"id": 6, "label": "PER", "start_offset": 8, "end_offset": 10}], "relations": [{"id": 7, "from_id": 5, "to_id": 6,
"type": "met"}], "Comments": []}
END
for file in doccano.jsonl relations.jsonl; do
    try "$VOUCH" convert --to prodigy $file -o p.jsonl
    cat p.jsonl
    try "$VOUCH" convert --to doccano p.jsonl -o d.jsonl
    cmp d.jsonl $file
done

# Prodigy: answers, white space that is a token, a tree.
line >prodigy.jsonl <<'END'
{"text": "Ada\n left", "tokens": [{"text": "Ada", "start": 0, "end": 3, "id": 0, "ws": false},
{"text": "\n ", "start": 3, "end": 5, "id": 1, "ws": false},
{"text": "left", "start": 5, "end": 9, "id": 2, "ws": false}],
"spans": [{"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PER"}],
"relations": [{"head": 2, "child": 0, "label": "nsubj"}, {"head": 2, "child": 2, "label": "root"}],
"answer": "accept", "_input_hash": -5, "_annotator_id": "ada"}
END
line >>prodigy.jsonl <<'END'
{"text": "No.", "spans": [{"start": 0, "end": 2, "label": "PER"}], "answer": "reject"}
END
try "$VOUCH" convert --to conllu prodigy.jsonl
try "$VOUCH" convert --to prodigy prodigy.jsonl

# brat: a span over the end of a line, a note, an event.
mkdir brat
printf 'Ada met New\nYork.' >brat/one.txt
printf 'T1\tPER 0 3\tAda\nT2\tLOC 8 11;12 16\tNew York\nR1\tin Arg1:T1 Arg2:T2\t\n' >brat/one.ann
printf '#1\tAnnotatorNotes T2\tscore=0.5 town\nE1\tT1 Arg:T2\n' >>brat/one.ann
try "$VOUCH" convert --to jsonl brat/one.ann
try "$VOUCH" convert --to brat brat/one.ann -o again
cat again/one.ann
cmp again/one.txt brat/one.txt

# Folders: of brat's files and of WebAnno's, as they are written.
printf -- '-DOCSTART- O\n\nAda B-PER\nleft O\n\n-DOCSTART- O\n\nBo B-PER\nsat O\n\nNo O\n\n' >two.conll
for format in brat webanno; do
    try "$VOUCH" convert --to $format two.conll -o $format.folder
    touch $format.folder/notes.md
    try "$VOUCH" convert --to conll $format.folder
done

# An empty file is of any format, and said.
: >empty.json
try "$VOUCH" convert --to conll empty.json two.conll
try "$VOUCH" convert --to gliner empty.json

# Columns of tags without labels: nobody has labelled anything.
printf '{"tokens": [["a", "N"], ["b", "V"]]}\n' >tags.jsonl
try "$VOUCH" convert --to conll tags.jsonl -o tags.conll
cat tags.conll
try "$VOUCH" convert --to jsonl tags.conll

# ner_tags and GLiNER.
printf '{"id": "0", "tokens": ["EU", "rejects"], "pos_tags": [22, 42], "ner_tags": [3, 0]}\n' >hf.jsonl
try "$VOUCH" convert --names O,B-PER,I-PER,B-ORG,I-ORG --to ner_tags hf.jsonl
try "$VOUCH" convert --names O,B-PER,I-PER,B-ORG,I-ORG --to gliner hf.jsonl

# CoNLL columns with documents, to one with a space in a label.
printf -- '-DOCSTART- -X- O\n\nA N I-X\nB N B-X\n\nC V O\n\n-DOCSTART- -X- O\n\nD N O\n' >old.conll
try "$VOUCH" convert --to conll --scheme BIOES old.conll
printf '[{"tokenized_text": ["a", "b"], "ner": [[0, 0, "first name"]]}]' >gliner.json
try "$VOUCH" convert --to conll gliner.json
# GLiNER: relations go along with spans, which are sorted; strings of white space; other keys stay where they are.
printf '{"tokenized_text": ["b", " ", "a", "\\u00a0 ", "c"], "ner": [[4, 4, "Y"], [0, 2, "X"]],' >related.json
printf ' "relations": [[0, 1, "r"]], "ner_negatives": ["Z"], "meta": {"n": 1}}\n' >>related.json
try "$VOUCH" convert --to gliner related.json
printf '{"tokenized_text": ["d"], "ner": []}\n{"tokenized_text": ["e"], "ner": [[0, 0, "X"]]}\n' >>related.json
try "$VOUCH" convert --to doccano related.json
try "$VOUCH" convert --to doccano --json gliner.json -o counted.jsonl
"$VOUCH" convert -q --to conll --json relations.jsonl -o counted.conll | grep -A 9 '"written"'
