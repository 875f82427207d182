# The label may be the first column: words are in the second then, also where labels are not read.
. "$CLI/common"
"$VOUCH" sample -n 60 --noise 0.02 | awk 'NF { print $4, $1, $2; next } { print "" }' >first.txt
printf 'U%d:%%x[0,%d]\n' 0 1 1 2 >template
echo B >>template
"$VOUCH" review $THREADS -t ner --template template -n 1 --gold 1 --inspect 3 -q first.txt >list.tsv
cut -f 1-8,17 list.tsv
sed '1!s/\t\t/\tB-X\t/' list.tsv >decided.tsv
"$VOUCH" review --apply decided.tsv --new-labels -q --gold 1 first.txt | diff first.txt - | grep '^>'

# The model knows what it learned from by its words.
learn -t ner -a perceptron -n 1 --gold 1 --template template --no-calibrate -o m.vouch first.txt
(sed 's/^[^ ]* /X /' first.txt; printf 'X Unheard NNP\nX of IN\n\n') >pool.txt
try "$VOUCH" active next -m m.vouch -c random --pool pool.txt
try "$VOUCH" active next -m m.vouch -c random --pool pool.txt pool.txt
