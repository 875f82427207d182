# Labels that are open in part: every format, every learner, and what is refused.
# Release only: it trains for seconds; sanitizers reach the same code in unit tests.
. "$CLI/common"
corpus
# Opens labels: every third word of the file, with either mark; of every tenth sentence all.
awk 'BEGIN { s = 1 } NF == 0 { s++; print; next }
     s % 10 == 0 || ++n % 3 == 0 { $NF = n % 2 ? "?" : "_" } { print }' train.txt >part.txt
head -n 5 part.txt

echo '--- what is open is not learned, and not counted'
"$VOUCH" train --task ner --partial $THREADS -o part.vouch part.txt 2>said
sed -n '1,2p; $!{/loss/d}; /calibrated/p' said | uniq
"$VOUCH" info part.vouch | grep -o '.* of them labelled'
"$VOUCH" eval -m part.vouch test.txt | sed -n 2p
"$VOUCH" tag -q -m part.vouch part.txt | grep -c ' [?_] 0' || true

echo '--- a corpus without open labels is learned as ever'
contents() { "$VOUCH" dump "$1" | grep -v ^header; }
for algorithm in cw crf; do
    "$VOUCH" train -q --no-calibrate -n 3 --task ner -a $algorithm -o plain.vouch train.txt
    "$VOUCH" train -q --no-calibrate -n 3 --task ner -a $algorithm --partial -o same.vouch train.txt
    contents plain.vouch >plain
    contents same.vouch | cmp - plain
done

echo '--- the same from every format, on threads, in shards'
train() { "$VOUCH" train -q --no-calibrate -n 3 --task ner --partial "$@"; }
train -o columns.vouch part.txt
contents columns.vouch >columns
sed 's/ _$/ ?/' part.txt >marked.txt
train -o marked.vouch marked.txt
contents marked.vouch | cmp - columns
awk 'function flush() { if (t) print "{\"tokens\": [" t "], \"labels\": [" l "]}"; t = l = "" }
     NF == 0 { flush(); next }
     { word = ""; for (i = 1; i < NF; i++) { gsub(/["\\]/, "\\\\&", $i); word = word (i > 1 ? ", " : "") "\"" $i "\"" }
       t = t (t ? ", " : "") "[" word "]"; l = l (l ? ", " : "") ($NF == "?" || $NF == "_" ? "null" : "\"" $NF "\"") }
     END { flush() }' part.txt >part.jsonl
train -o json.vouch part.jsonl
contents json.vouch | cmp - columns
for algorithm in crf cw; do
    train -a $algorithm --shards 3 -o one.vouch part.txt
    train -a $algorithm --shards 3 -j 3 -o three.vouch part.txt
    contents one.vouch >one
    contents three.vouch | cmp - one
done

echo '--- every learner, and going on from a model'
for algorithm in cw pa perceptron crf 'pa --k-best 5'; do
    train -a $algorithm -n 5 -o any.vouch part.txt
    echo "$algorithm: $("$VOUCH" eval -m any.vouch test.txt | sed -n 2p)"
done
head -n 200 train.txt >few.txt
"$VOUCH" train -q --no-calibrate --task ner -o few.vouch few.txt
"$VOUCH" eval -m few.vouch test.txt | sed -n 2p
"$VOUCH" train --from few.vouch --partial -o on.vouch part.txt 2>&1 | grep -v loss | sed 's/, [0-9.]* s$//'
"$VOUCH" eval -m on.vouch test.txt | sed -n 2p

echo '--- parameters are chosen on what is labelled'
"$VOUCH" train --task ner --partial --tune --no-calibrate -n 2 -o tuned.vouch part.txt 2>&1 | grep tuned:

echo '--- I- after an open word goes on with a chunk'
for rest in 'B-X a' 'I-X b'; do
    printf 'w ?\nx %s\n\nw O\nx B-X\nx I-X\n\n' "${rest% *}" >chunks.txt
    "$VOUCH" train -q --no-calibrate -n 5 --task ner --partial -o chunks.vouch chunks.txt
    printf 'w\nx\n' | "$VOUCH" tag -q -m chunks.vouch --format conll --confidence none -
done
printf 'a I-X\na B-X\nb O\n\nc ?\na I-X\n\n' >iob1.txt
"$VOUCH" train --no-calibrate -n 1 --task ner --partial -o iob1.vouch iob1.txt 2>&1 | sed -n 1,2p
try "$VOUCH" train -q --no-calibrate -n 1 --task ner --partial --learn-as keep -o iob1.vouch iob1.txt
printf 'a B-X\na I-X\nb O\n\nc ?\na I-X\n\n' >iob2.txt
try "$VOUCH" train -q --no-calibrate -n 1 --task ner --partial --learn-as bioes -o bioes.vouch iob2.txt

echo '--- refused, or said'
printf 'a ?\nb _\n\n' >open.txt
try "$VOUCH" train -q --task ner --partial -o no.vouch open.txt
try "$VOUCH" train -q --no-calibrate -n 1 --task ner --partial --dev part.txt -o no.vouch train.txt
try "$VOUCH" train -q --partial --task dep --multi-root keep -o no.vouch open.txt
grep -n null part.jsonl | head -n 1 | cut -d : -f 2- >one.jsonl
try "$VOUCH" train -q --task ner -o no.vouch one.jsonl
"$VOUCH" train --no-calibrate -n 1 --task ner -o marks.vouch part.txt 2>&1 | grep warning
try "$VOUCH" eval -m part.vouch part.jsonl
for command in eval 'tune -o no.vouch' 'trade --precision 0.9' review 'forecast --labelled part.txt'; do
    echo "$command"
    try "$VOUCH" $command -q -m part.vouch part.txt 2>&1 | tail -n 2
done

echo '--- a column of CoNLL-U: _ is a value of FEATS, and open in UPOS'
"$VOUCH" sample --kind dep -n 40 >words.conllu
awk 'BEGIN { FS = OFS = "\t" } NF == 10 && ++n % 3 == 0 { $4 = "_"; $6 = "?" } { print }' words.conllu >open.conllu
train() { "$VOUCH" train --no-calibrate -n 1 --task pos -o column.vouch "$@" open.conllu 2>&1 | sed -n '1p; /warn/p'; }
for column in upos feats; do
    train --column $column --partial
    train --column $column
done
