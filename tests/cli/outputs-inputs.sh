# No result replaces the file that it is made from; only a model may, if replacing it is the purpose.
. "$CLI/tree_common"
corpus
"$VOUCH" train --no-calibrate -t ner -a perceptron -n 1 -q -o m.vouch train.txt
"$VOUCH" dump m.vouch >text
echo 'U00:%x[0,0]' >template
cp test.txt curve.dat
mkdir kept
cp test.txt train.txt m.vouch text template curve.dat kept

echo "onto the model"
try "$VOUCH" trade -m m.vouch -c gamma --csv m.vouch test.txt
try "$VOUCH" review -m m.vouch -o m.vouch test.txt
try "$VOUCH" active next -m m.vouch -c delta --pool test.txt -o m.vouch
try "$VOUCH" tag -m m.vouch -o m.vouch test.txt
try "$VOUCH" tag -m m.vouch -o ./m.vouch test.txt
try "$VOUCH" eval -m m.vouch -c gamma --report m.vouch test.txt
try "$VOUCH" dump -o m.vouch m.vouch
try "$VOUCH" load -o text text
"$VOUCH" sample --kind dep -n 10 >trees.conllu
"$VOUCH" train --no-calibrate --task dep --bits 12 -n 1 -q -o d.vouch trees.conllu
cp d.vouch trees.conllu kept
try "$VOUCH" parse -m d.vouch -o d.vouch trees.conllu

echo "onto what is answered"
ln -s test.txt link.txt
printf 'O\nB-PER\n' >labels
printf '{"scores":[[1,0],[0,1]]}\n' >scores.jsonl
printf 'a\nb\n' >two.txt
cp labels scores.jsonl two.txt kept
try "$VOUCH" tag -m m.vouch -o test.txt test.txt
try "$VOUCH" tag -m m.vouch -o link.txt test.txt
try "$VOUCH" tag -m m.vouch -o test.txt link.txt
try "$VOUCH" parse -m d.vouch -o trees.conllu trees.conllu
try "$VOUCH" judge --scores scores.jsonl --labels labels -o two.txt two.txt
try "$VOUCH" judge --scores scores.jsonl --labels labels -o scores.jsonl two.txt
rm link.txt

echo "onto what is read beside it"
try "$VOUCH" train --no-calibrate -t ner --template template -q -o template train.txt
try "$VOUCH" train --no-calibrate -t ner -q --log train.txt -o new.vouch train.txt
try "$VOUCH" train --from m.vouch -q --log m.vouch -o new.vouch train.txt
try "$VOUCH" active -t ner --pool train.txt --test test.txt --csv test.txt
try "$VOUCH" active -t ner --pool train.txt --test test.txt --template template --csv template

echo "numbers beside a figure"
try "$VOUCH" trade -m m.vouch -c gamma --plot curve.svg curve.dat
try "$VOUCH" active -t ner --pool train.txt --test curve.dat --plot curve.svg

echo "a page"
try "$VOUCH" eval -m m.vouch -c gamma --report test.txt test.txt
try "$VOUCH" eval -m m.vouch -c gamma --report missing/page.html test.txt
for file in kept/*; do
    cmp "$file" "$(basename "$file")"
done
ls

echo "in place of the model"
"$VOUCH" trade -q -m m.vouch --in-place -c gamma --recall 0.01 test.txt >said
"$VOUCH" trade -q -m m.vouch -c gamma --recall 0.01 -o m.vouch test.txt >said
"$VOUCH" tune -q -m m.vouch --in-place --grid quick --draws 2 test.txt >said
"$VOUCH" train --no-calibrate --from m.vouch -n 1 -q -o m.vouch test.txt
"$VOUCH" info --verify m.vouch | tail -n 1
