# JSON lines: the object that was read, with "predicted" and "spans"; other keys are carried through.
. "$CLI/common"
corpus
learn -t ner -n 3 --no-calibrate -o m.vouch train.txt
{
    printf '%s ' '{"id": 7, "tokens": [["Mrs", "NNP"], ["Falinon", "NNP"], ["left", "VBD"],'
    echo '["Washington", "NNP"], [".", "."]], "source": {"page": [1, 2.5], "é": null}}'
    cat <<'END'
{"tokens": []}
{"tokens": [["-DOCSTART-", "X"]], "id": "doc"}

{"tokens": [["Paris", "NNP"], ["1", "CD"]], "labels": ["B-ORG", "O"]}
END
} >in.jsonl
"$VOUCH" tag -m m.vouch $THREADS in.jsonl
echo "eval:"
head -n 60 test.txt | awk 'BEGIN { RS = ""; FS = "\n" } {
    tokens = labels = ""
    for (i = 1; i <= NF; i++) {
        split($i, c, " "); gsub(/"/, "\\\"", c[1])
        tokens = tokens (i > 1 ? ", " : "") "[\"" c[1] "\", \"" c[2] "\"]"
        labels = labels (i > 1 ? ", " : "") "\"" c[4] "\""
    }
    print "{\"tokens\": [" tokens "], \"labels\": [" labels "]}" }' >test.jsonl
head -n 60 test.txt >head.txt
"$VOUCH" eval -q -m m.vouch $THREADS head.txt >from.conll
"$VOUCH" eval -q -m m.vouch $THREADS test.jsonl | tee from.jsonl
cmp from.conll from.jsonl
echo "train:"
learn -t ner -n 2 --no-calibrate -o j.vouch test.jsonl
learn -t ner -n 2 --no-calibrate -o c.vouch head.txt
"$VOUCH" dump j.vouch | sed -n '3,$p' >j
"$VOUCH" dump c.vouch | sed -n '3,$p' | cmp - j
