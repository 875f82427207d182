# Sentences to label next, in every format, with and without the model's answers.
. "$CLI/tree_common"
treebank
train_small -q -a cw -o d.vouch train.conllu
{ sed -n '1,/^$/p' train.conllu; cat test.conllu; sed -n '1,/^$/p' test.conllu; } >pool.conllu
"$VOUCH" active next -m d.vouch --pool pool.conllu $THREADS -n 1 -c delta/mean train.conllu >one.conllu
cat one.conllu
"$VOUCH" active next -q -m d.vouch --pool pool.conllu -n 1 -c delta/mean --predict train.conllu | head -n 4
"$VOUCH" active next -m d.vouch --pool pool.conllu -n 100 -c gamma train.conllu >all.conllu
grep -c '^$' all.conllu

printf '%s\n' '{"tokens":["Ada","saw","it"],"id":1.50}' '{"id":2, "tokens": ["nobody"]}' \
    '{"tokens":["Ada","saw","it"]}' >pool.jsonl
"$VOUCH" active next -m d.vouch --pool pool.jsonl -c delta
"$VOUCH" active next -q -m d.vouch --pool pool.jsonl -c delta --predict >predicted.jsonl
cat predicted.jsonl
"$VOUCH" train -q --from d.vouch -o e.vouch predicted.jsonl
try "$VOUCH" train --from d.vouch -o e.vouch pool.jsonl

# Words alone: columns, plain lines and JSON have the same, and so know each other.
"$VOUCH" sample -n 100 | cut -d ' ' -f 1,4 >train.txt
"$VOUCH" train --no-calibrate -t ner -n 2 -q -o w.vouch train.txt
"$VOUCH" sample -n 8 --first 100 | cut -d ' ' -f 1,4 >labelled.txt
"$VOUCH" sample -n 12 --first 100 |
    awk '{ if (NF) line = line (line ? " " : "") $1; else { print line; line = "" } }' >pool.txt
"$VOUCH" active next -m w.vouch --pool pool.txt -c gamma labelled.txt
"$VOUCH" active next -q -m w.vouch --pool pool.txt -c gamma labelled.txt --predict -n 1
sed 's/"//g; s/.*/{"tokens": ["&"]}/; s/ /", "/g; s/:", "\[/: [/' pool.txt | head -n 9 >more.jsonl
"$VOUCH" active next -m w.vouch --pool pool.txt -c gamma labelled.txt more.jsonl

# Answers in JSON stand where training looks for labels, in place of what was there.
echo '{"tokens": ["Ada", "left"], "labels": ["O", "O"], "spans": [], "id": 3}' >>more.jsonl
"$VOUCH" active next -q -m w.vouch --pool more.jsonl -c gamma -n 2 --predict >predicted.jsonl
cat predicted.jsonl
"$VOUCH" train -q --from w.vouch -o v.vouch predicted.jsonl
try "$VOUCH" train --from w.vouch -o v.vouch more.jsonl

# Ready-made attributes.
printf 'B-PER\tw=Ada\tcap\nO\tw=left\n\nO\tw=it\nO\tw=left\n\n' >train.crf
printf '\tw=Ada\tcap\n\tw=left\n\n\tw=Bonn\tcap\n\tw=left\n\n\tw=Ada\tcap\n\tw=it\n\n' >pool.crf
"$VOUCH" train --no-calibrate -t ner --format crfsuite -n 2 -q -o a.vouch train.crf
"$VOUCH" active next -m a.vouch --pool pool.crf -c gamma train.crf
"$VOUCH" active next -q -m a.vouch --pool pool.crf -c gamma train.crf --predict
