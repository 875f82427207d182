# What vouch judge, and the commands that take a model without weights, refuse.
. "$CLI/common"
printf 'O\nB-X\nI-X\n' >labels.txt
printf 'a O\nb B-X\n\nc O\n' >words.txt
cat >x.jsonl <<END
{"scores": [[1, 0, 0], [0, 2, 1]]}
{"scores": [[3, 0, 0]]}
END
echo "== options"
try "$VOUCH" judge --labels labels.txt words.txt
try "$VOUCH" judge --scores x.jsonl words.txt
try "$VOUCH" judge --scores x.jsonl --labels labels.txt --arcs head-first words.txt
try "$VOUCH" judge --scores x.jsonl --arcs heads words.txt
try "$VOUCH" judge --scores x.jsonl --labels labels.txt --root diagonal words.txt
try "$VOUCH" judge --scores x.jsonl --labels labels.txt --scheme IOB3 words.txt
try "$VOUCH" judge --scores x.jsonl --labels labels.txt --gold words.txt words.txt
try "$VOUCH" judge --scores x.jsonl --labels labels.txt words.txt words.txt
try "$VOUCH" judge --scores x.jsonl --labels labels.txt -c votes words.txt
try "$VOUCH" judge --scores x.jsonl --labels labels.txt -o x.jsonl words.txt
echo "== gold in IOB1, as the scores are"
printf 'a I-X\nb O\n\nc I-X\nd I-X\n' >iob1.txt
echo '{"scores": [[0, 0, 3], [3, 0, 0]]}' >iob1.jsonl
echo '{"scores": [[0, 0, 3], [0, 0, 3]]}' >>iob1.jsonl
try "$VOUCH" judge --scores iob1.jsonl --labels labels.txt --gold iob1.txt -o x.judge
echo "== labels"
printf 'O\nO\nI-X\n' >twice.txt
try "$VOUCH" judge --scores x.jsonl --labels twice.txt words.txt
printf 'O 3\nB-X 1\nI-X 1\n' >counted.txt
try "$VOUCH" judge --scores x.jsonl --labels counted.txt words.txt
printf '\nO\nB-X\t7\n' >counted.txt
try "$VOUCH" judge --scores x.jsonl --labels counted.txt words.txt
echo '["O", "B-X", "O"]' >list.json
try "$VOUCH" judge --scores x.jsonl --labels list.json words.txt
echo "== schemes"
try "$VOUCH" judge --scores x.jsonl --labels labels.txt --scheme BIOES --constraints words.txt
try "$VOUCH" judge --scores x.jsonl --labels labels.txt --scheme none --constraints words.txt
printf 'NN\nVB\nDT\n' >tags.txt
try "$VOUCH" judge --scores x.jsonl --labels tags.txt --constraints words.txt
printf '{"id2label": {"0": "O", "2": "B-X"}}' >config.json
try "$VOUCH" judge --scores x.jsonl --labels config.json words.txt
: >none.txt
try "$VOUCH" judge --scores x.jsonl --labels none.txt words.txt
try "$VOUCH" judge --scores x.jsonl --labels missing.txt words.txt
printf '{"id2label": {"0": "O", "1": "B-X", "2": "I-X"}}' >config.json
try "$VOUCH" judge -q --scores x.jsonl --labels config.json words.txt
echo '["O", "B-X", "I-X"]' >list.json
"$VOUCH" judge -q --scores x.jsonl --labels list.json --raw -c delta words.txt
echo "== scores"
try "$VOUCH" judge -q --scores missing.npy --labels labels.txt words.txt
try "$VOUCH" judge -q --scores words.txt --labels labels.txt words.txt
head -n 1 x.jsonl >short.jsonl
try "$VOUCH" judge -q --scores short.jsonl --labels labels.txt words.txt
(cat x.jsonl; tail -n 1 x.jsonl) >long.jsonl
try "$VOUCH" judge -q --scores long.jsonl --labels labels.txt -o out words.txt
[ ! -e out ] && echo nothing was written
sed 's/3, 0/3, null/; s/, 0\]/, null]/; s/3/null/' x.jsonl >never.jsonl
try "$VOUCH" judge -q --scores never.jsonl --labels labels.txt words.txt
sed 's/"scores": \[\[3/"logits": [[3/' x.jsonl >other-key.jsonl
try "$VOUCH" judge -q --scores other-key.jsonl --labels labels.txt words.txt
{ printf 'PK\005\006'; head -c 18 /dev/zero; } >empty.npz
try "$VOUCH" judge -q --scores empty.npz --labels labels.txt words.txt
try "$VOUCH" judge -q --scores x.jsonl --labels labels.txt --transitions empty.npz words.txt
echo "== no confidence"
try "$VOUCH" judge --scores x.jsonl --labels labels.txt -c none words.txt
try "$VOUCH" judge --scores x.jsonl --labels labels.txt -c nothing words.txt
echo "== models"
"$VOUCH" judge -q --scores x.jsonl --labels labels.txt --gold words.txt -o m.judge >found
try "$VOUCH" judge -m m.judge --scores x.jsonl --constraints words.txt
cp m.judge anew.judge
"$VOUCH" judge -q -m anew.judge --scores x.jsonl --gold words.txt -o anew.judge >found && echo calibrated in its place
try "$VOUCH" judge -m anew.judge --scores x.jsonl -o anew.judge words.txt
try "$VOUCH" judge -m anew.judge --scores x.jsonl --gold words.txt -o -
for command in tag eval trade review; do
    try "$VOUCH" $command -m m.judge words.txt
done
try "$VOUCH" active next --pool words.txt -m m.judge
try "$VOUCH" tune -m m.judge --scores x.jsonl words.txt
try "$VOUCH" train -q --from m.judge -o n.vouch words.txt
try "$VOUCH" parse -m m.judge --scores x.jsonl words.txt
try "$VOUCH" tag -m m.judge --scores x.jsonl --on-error report words.txt
try "$VOUCH" eval -m m.judge --scores x.jsonl words.txt words.txt
learn -t ner -n 1 --no-calibrate -o ner.vouch words.txt
try "$VOUCH" tag -m ner.vouch --scores x.jsonl words.txt
try "$VOUCH" judge -m ner.vouch --scores x.jsonl words.txt
echo "== transitions of each sentence are not kept, and asked for"
sed 's/}$/, "transitions": [[0, 0, -9], [0, 0, 0], [0, 0, 0]]}/' x.jsonl >steps.jsonl
"$VOUCH" judge -q --scores steps.jsonl --labels labels.txt --gold words.txt -o steps.judge >found
"$VOUCH" info steps.judge | grep transitions
try "$VOUCH" judge -q -m steps.judge --scores x.jsonl words.txt
"$VOUCH" judge -q -m steps.judge --scores steps.jsonl -c none words.txt
