# Labelling the pieces of a file is labelling the file.
. "$CLI/common"
"$VOUCH" sample -n 200 >train.txt
learn -t ner -n 2 --no-calibrate -o m.vouch train.txt
"$VOUCH" sample -n 300 --first 200 --unseen-names | awk 'BEGIN { RS = ""; FS = "\n" } {
    tokens = ""
    for (i = 1; i <= NF; i++) {
        split($i, c, " "); gsub(/"/, "\\\"", c[1])
        tokens = tokens (i > 1 ? ", " : "") "[\"" c[1] "\", \"" c[2] "\"]"
    }
    print "{\"tokens\": [" tokens "]}" }' >all.jsonl
"$VOUCH" tag -m m.vouch $THREADS all.jsonl >whole
split -l 70 all.jsonl piece.
for piece in piece.*; do
    "$VOUCH" tag -m m.vouch $THREADS $piece
done | cmp - whole
ls piece.* | wc -l | tr -d ' '
wc -l <whole | tr -d ' '
head -n 2 whole
