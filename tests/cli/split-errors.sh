# What cannot be divided, and where nothing can be written.
. "$CLI/common"
"$VOUCH" sample -n 4 >a.txt
"$VOUCH" sample --kind dep -n 4 >b.conllu
echo "Just some words ." >plain.txt
: >empty.txt
try "$VOUCH" split a.txt
try "$VOUCH" split -o x.txt
try "$VOUCH" split -o x.txt --rest x.txt a.txt
try "$VOUCH" split -o a.txt a.txt
try "$VOUCH" split -o none/x.txt a.txt
try "$VOUCH" split -o x.txt a.txt b.conllu
try "$VOUCH" split -o x.txt plain.txt
try "$VOUCH" split -o x.txt empty.txt
try "$VOUCH" split -o x.txt --format words a.txt
try "$VOUCH" split -o x.txt --share 2 a.txt
try sh -c '"$VOUCH" split --format conll -o x.txt --rest y.txt - <a.txt'
try sh -c 'cat a.txt | "$VOUCH" split -o x.txt --rest y.txt /dev/stdin'
try "$VOUCH" split -o x.txt a.txt .
test ! -e x.txt
test ! -e y.txt
