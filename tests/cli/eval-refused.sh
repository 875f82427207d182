# Columns that only look like gold and answers are refused, and the message tells what they look like.
. "$CLI/common"
corpus
learn -t ner -n 2 --no-calibrate -o m.vouch train.txt

echo "one file of columns:"
try "$VOUCH" eval test.txt
cut -d ' ' -f 1,2 test.txt >words.txt
try "$VOUCH" eval words.txt
cut -d ' ' -f 1-3 test.txt >unlabelled.txt
"$VOUCH" tag -q -m m.vouch -c delta unlabelled.txt >answers.txt
try "$VOUCH" eval answers.txt
"$VOUCH" tag -q -m m.vouch -c delta test.txt >once.txt
"$VOUCH" tag -q -m m.vouch -c delta once.txt >twice.txt
try "$VOUCH" eval -q --resamples 0 twice.txt
"$VOUCH" eval -q --resamples 0 --gold 4 twice.txt >twice.report
"$VOUCH" eval -q --resamples 0 once.txt | cmp - twice.report
try "$VOUCH" eval --gold 9 twice.txt
sed 's/[^ ]*$/17/' test.txt | sed '/^17$/s/.*//' >numbers.txt
try "$VOUCH" eval numbers.txt
sed '200s/[^ ]*$/much/' once.txt >broken.txt
try "$VOUCH" eval broken.txt
cat once.txt once.txt | sed '1401s/[^ ]*$/much/' >broken.txt
try "$VOUCH" eval broken.txt
{ echo '# conf_method=delta:raw,gamma:raw'; cat once.txt; } >named.txt
try "$VOUCH" eval named.txt

echo "labels that are numbers:"
printf 'a 0 0\nb 1 0\n' | "$VOUCH" eval -q
echo "few words:"
printf 'a B-PER B-LOC\n' | "$VOUCH" eval -q

echo "one file of trees:"
"$VOUCH" sample --kind dep -n 20 >test.conllu
try "$VOUCH" eval test.conllu

echo "JSON lines:"
printf '{"tokens": ["a"], "labels": ["B-X"]}\n' >gold.jsonl
printf '{"tokens": ["a"], "predicted": ["B-X"]}\n' >answers.jsonl
printf '{"tokens": ["a"], "labels": ["B-X"], "predicted": ["B-X"]}\n' >both.jsonl
try "$VOUCH" eval gold.jsonl
try "$VOUCH" eval answers.jsonl
try "$VOUCH" eval -q gold.jsonl answers.jsonl
try "$VOUCH" eval both.jsonl gold.jsonl
printf '{"tokens": ["a"], "labels": ["B-X"], "predicted": ["B-X", "O"]}\n' | try "$VOUCH" eval
printf '{"tokens": ["a"], "labels": ["O"], "predicted": ["O"], "predicted_heads": [0]}\n' | try "$VOUCH" eval
printf '{"tokens": ["a"], "heads": [0], "predicted_heads": [2]}\n' | try "$VOUCH" eval
printf '{"tokens": ["a"], "labels": ["O"], "predicted": ["O"], "confidence": {"words": ["sure"]}}\n' | try "$VOUCH" eval

echo "gold and answers that are not of one another:"
sed '100s/^[^ ]*/another/' once.txt >other.txt
try "$VOUCH" eval test.txt other.txt
sed '100d' once.txt >shorter.txt
try "$VOUCH" eval test.txt shorter.txt
awk '!NF && !cut { cut = 1; next } { print }' once.txt >joined.txt
try "$VOUCH" eval test.txt joined.txt
{ cat once.txt; printf 'more A B O O 1.5\n'; } >longer.txt
try "$VOUCH" eval test.txt longer.txt
try "$VOUCH" eval test.txt once.txt once.txt
try "$VOUCH" eval once.txt test.txt
try "$VOUCH" eval test.conllu once.txt
try "$VOUCH" eval --gold 2 test.txt once.txt
sed 's/_$/HeadConf=0.5/' test.conllu >sure.conllu
try "$VOUCH" eval sure.conllu test.conllu

echo "options:"
try "$VOUCH" eval --raw once.txt
try "$VOUCH" eval --format plain once.txt
try "$VOUCH" eval --task names once.txt
try "$VOUCH" eval --task nre once.txt
