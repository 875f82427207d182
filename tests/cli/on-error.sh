# A bad line of JSON lines: the end, or with --on-error report an object in its place, with one thread and with several.
. "$CLI/common"
corpus
learn -t ner --features pos --no-calibrate -o ner.vouch train.txt

printf '%s\n' '{"tokens": ["Ada", "lives"]}' '{"text": "x", "id": 3}' 'no JSON' '{"tokens": ["a", ""]}' \
    '{"tokens": [["a", "b"]]}' '{"tokens": 3}' '[1]' '{}' '{"tokens": ["a"], "tokens": []}' > bad.jsonl
printf '{"tokens": ["\377"]}\n{"tokens": ["Bonn"], "id": 9}\n{"tokens": ["a\0"]}\n{"tokens": []' >> bad.jsonl
try "$VOUCH" tag -q -m ner.vouch $THREADS bad.jsonl
try "$VOUCH" tag -q -m ner.vouch $THREADS --on-error report bad.jsonl
"$VOUCH" tag -q -m ner.vouch --on-error report -o all.jsonl bad.jsonl || echo "exit $?, and the file is there"
wc -l < all.jsonl

echo '--- in the order of the input, however many there are'
for i in 1 2 3 4 5 6 7 8 9; do cat bad.jsonl; echo; done > some.jsonl
for i in 1 2 3 4 5 6 7 8 9; do cat some.jsonl some.jsonl; done > many.jsonl
for threads in 1 2 3; do
    "$VOUCH" tag -q -m ner.vouch -j $threads --on-error report many.jsonl > $threads.jsonl 2> $threads.err || true
    cmp 1.jsonl $threads.jsonl
done
cat 3.err
wc -l < 1.jsonl

echo '--- what only the model can see'
learn -t ner --no-calibrate -o pos.vouch train.txt
try "$VOUCH" tag -q -m pos.vouch $THREADS --on-error report bad.jsonl | grep -v expected.*key

echo '--- trees'
"$VOUCH" sample --kind dep -n 60 -o trees.conllu
learn -t dep -n 2 --bits 14 --no-calibrate -o dep.vouch trees.conllu
printf '%s\n' '{"tokens": [["Ada", "Ada", "PROPN"]]}' '{"tokens": 1}' \
    '{"tokens": [["Bo", "Bo", "PROPN"]]}' > trees.jsonl
try "$VOUCH" parse -q -m dep.vouch $THREADS --on-error report trees.jsonl

echo '--- not for everything'
try "$VOUCH" tag -q -m ner.vouch --on-error report train.txt
try "$VOUCH" tag -q -m ner.vouch --on-error ignore bad.jsonl
try "$VOUCH" tag -q -m ner.vouch --on-error report --colour bad.jsonl
try "$VOUCH" parse -q -m dep.vouch --on-error report --draw text bad.jsonl

echo '--- evaluated afterwards: without them'
awk 'function out() { if (t) print "{\"tokens\": [" t "], \"labels\": [" l "]}"; t = l = "" }
     NF { c = t ? ", " : ""; t = t c "\"" $1 "\""; l = l c "\"" $NF "\"" }
     !NF { out() } END { out() }' test.txt > gold.jsonl
{ echo 'no JSON'; cat gold.jsonl; echo '{"tokens": 3}'; } > mixed.jsonl
"$VOUCH" tag -q -m ner.vouch gold.jsonl | "$VOUCH" eval -q > sound.report
"$VOUCH" tag -q -m ner.vouch --format jsonl --on-error report mixed.jsonl > answers.jsonl 2> /dev/null || true
"$VOUCH" eval answers.jsonl 2> told | cmp - sound.report
grep warning told
