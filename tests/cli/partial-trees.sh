# Trees some of whose heads and relations are open.
# Release only: it trains for seconds; sanitizers reach the same code in unit tests.
. "$CLI/tree_common"
"$VOUCH" sample --kind dep -n 70 >train.conllu
"$VOUCH" sample --kind dep -n 40 --first 150 --unseen-names >test.conllu
# Opens every third head with its relation, every seventh relation alone, and of every tenth sentence all.
awk 'BEGIN { FS = OFS = "\t" } /^# sent_id/ { s++ } NF != 10 { print; next }
     ++n % 3 == 0 || s % 10 == 0 { $7 = n % 2 ? "?" : "_"; $8 = n % 5 ? "_" : "?" } n % 7 == 0 { $8 = "_" }
     { print }' train.conllu >part.conllu
sed -n 3,6p part.conllu
contents() { "$VOUCH" dump "$1" | grep -v ^header; }

echo '--- learned from what is there'
"$VOUCH" train --task dep --bits 16 -n 2 --partial $THREADS -o part.vouch part.conllu 2>&1 |
    grep -v loss | sed 's/, [0-9.]* s$//'
for algorithm in crf cw pa perceptron; do
    train_small -q -a $algorithm -n 2 --partial -o any.vouch part.conllu
    echo "$algorithm: $("$VOUCH" eval -m any.vouch test.conllu | grep AS | tr -s ' ' | cut -d ' ' -f 1,2 | xargs)"
done
train_small -q --partial --unlabelled -o heads.vouch part.conllu
"$VOUCH" eval -m heads.vouch test.conllu | grep UAS
sed 's/\t[^\t]*\t_\t_$/\t_\t_\t_/' part.conllu >bare.conllu
train_small -q --partial --unlabelled -o bare.vouch bare.conllu
"$VOUCH" eval -m bare.vouch test.conllu | grep UAS
train_small -q --from part.vouch --partial -o on.vouch part.conllu && echo went on

echo '--- the same from JSON lines, in shards on threads, and without open heads'
train_small -q --partial -o columns.vouch part.conllu
contents columns.vouch >columns
awk 'BEGIN { FS = "\t" } function quoted(x) { gsub(/["\\]/, "\\\\&", x); return "\"" x "\"" }
     function open(x) { return x == "?" || x == "_" }
     NF == 10 { c = n++ ? ", " : ""; h = h c (open($7) ? "null" : $7); r = r c (open($8) ? "null" : quoted($8))
                t = t c "[" quoted($2) ", " quoted($3) ", " quoted($4) ", " quoted($5) ", " quoted($6) "]" }
     NF == 0 { print "{\"tokens\": [" t "], \"heads\": [" h "], \"relations\": [" r "]}"; n = 0; t = h = r = "" }
    ' part.conllu >part.jsonl
train_small -q --partial -o json.vouch part.jsonl
contents json.vouch | cmp - columns
train_small -q --partial --shards 2 -o one.vouch part.conllu
train_small -q --partial --shards 2 -j 2 -o two.vouch part.conllu
contents one.vouch >one
contents two.vouch | cmp - one
train_small -q -o plain.vouch train.conllu
train_small -q --partial -o same.vouch train.conllu
contents plain.vouch >plain
contents same.vouch | cmp - plain

echo '--- roots'
printf '1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n3\tc\t_\tX\t_\t_\t?\t?\t_\t_\n\n' >roots
printf '1\ta\t_\tX\t_\t_\t_\t_\t_\t_\n2\tb\t_\tX\t_\t_\t1\tx\t_\t_\n\n' >none
cat roots none >several
for way in skip attach; do
    train_small --partial --multi-root $way -o roots.vouch several 2>&1 | sed -n 1,2p
done
try train_small -q --partial --multi-root keep -o no.vouch several

echo '--- refused'
word() { printf '%s\t%s\t_\tX\t_\t_\t%s\t%s\t_\t_\n' "$@"; }
{ word 1 a 2 x; word 2 b 1 x; word 3 c _ _; echo; } >cycle
{ word 1 a _ x; word 2 b 0 root; echo; } >relation
{ word 1 a 7 x; word 2 b _ _; echo; } >range
{ word 1 a _ _; word 2 b ? ?; echo; } >open
{ word 1 a 2 _; word 2 b 0 _; echo; } >bare
{ word 1 a 2 x; word 2 b _ _; echo; } >some
for file in cycle relation range open bare; do
    try train_small -q --partial --format conllu -o no.vouch $file
done
try train_small -q --format conllu -o no.vouch some
try train_small -q --partial --dev part.conllu -o no.vouch train.conllu
echo '{"tokens": ["a", "b"], "heads": [null, 0], "relations": ["x", "root"]}' >json
try train_small -q --partial -o no.vouch json
echo '{"tokens": ["a", "b"], "heads": [null, 0]}' >json
try train_small -q -o no.vouch json
