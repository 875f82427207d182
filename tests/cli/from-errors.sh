# --from: options that contradict the model, models and files that do not fit.
. "$CLI/tree_common"
corpus
"$VOUCH" sample --kind dep -n 20 >trees.conllu
"$VOUCH" train --no-calibrate -t ner -a cw+crf -n 1 -q -o m.vouch train.txt
go_on()
{
    try "$VOUCH" train --from m.vouch -n 1 -o n.vouch "$@"
}
go_on --task pos test.txt
go_on --task dep test.txt
go_on --features ner test.txt
go_on --template x test.txt
go_on -a cw test.txt
go_on -a crf+cw test.txt
go_on --learn-as bioes test.txt
go_on --tune test.txt
go_on
try "$VOUCH" train --from missing -o n.vouch test.txt
try "$VOUCH" train --from train.txt -o n.vouch test.txt
try "$VOUCH" train --from m.vouch test.txt

# Files that the model cannot read, or would read wrongly.
cut -d ' ' -f 1,4 test.txt >narrow.txt
go_on narrow.txt
go_on trees.conllu
printf 'B-PER\tw=Ada\tcap=1\nO\tw=left\tcap=0\n' >ready.txt
go_on ready.txt
awk 'NF { $4 = $2 } { print }' test.txt >tags.txt
go_on tags.txt

# Parameters that cannot be.
"$VOUCH" dump m.vouch | sed 's/"phi":2.0/"phi":-1/' | "$VOUCH" load -o m.vouch
go_on test.txt

"$VOUCH" train --no-calibrate -t dep -a perceptron -n 1 --bits 12 -q -o m.vouch trees.conllu
go_on --bits 13 trees.conllu
go_on --unlabelled trees.conllu
go_on --task ner trees.conllu
go_on train.txt
ls -A *.vouch
