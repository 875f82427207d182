# --context: a second stage sees what a first one calls the same words in the sentences around, in the same document.
. "$CLI/common"
"$VOUCH" sample -n 240 >train.txt
"$VOUCH" sample -n 90 --first 300 --unseen-names >test.txt
"$VOUCH" train -q -t ner -n 3 --context 4 $THREADS --dev test.txt --log log -o m.vouch train.txt

echo '-- what is in the model'
"$VOUCH" info m.vouch | grep -e ^context -e ^voice
"$VOUCH" dump m.vouch | "$VOUCH" load -o same.vouch
cmp m.vouch same.vouch && echo same
"$VOUCH" train -q -t ner -n 3 --context 4 -j 3 --checkpoint kept --dev test.txt -o same.vouch train.txt
cmp m.vouch same.vouch && echo same

echo '-- answers are those that training has measured, by a stream or all at once'
"$VOUCH" eval -q -m m.vouch $THREADS test.txt | sed -n 2p
grep '"event":"pass"' log | tail -n 1 | sed 's/.*"dev"/dev/'

echo '-- the same for any number of threads, from a file, a pipe and by consistency'
"$VOUCH" tag -q -m m.vouch test.txt >1.txt
for threads in 2 3; do
    "$VOUCH" tag -q -m m.vouch -j $threads test.txt | cmp - 1.txt && echo same
done
cat test.txt | "$VOUCH" tag -q -m m.vouch -j 2 | cmp - 1.txt && echo same
"$VOUCH" tag -q -m m.vouch --consistency -j 1 test.txt >consistent.txt
"$VOUCH" tag -q -m m.vouch --consistency -j 3 test.txt | cmp - consistent.txt && echo same
cut -d ' ' -f 5 consistent.txt >labels.1
cut -d ' ' -f 5 1.txt | cmp - labels.1 && echo same

echo '-- documents are apart: cut at their marks, they are answered alike; cut elsewhere, they are not'
document() { awk -v from="$1" -v to="$2" 'BEGIN { n = 1 } n >= from && n <= to { print } !NF { n++ }' test.txt; }
mark='-DOCSTART- -X- O O'
{ document 1 30; echo "$mark"; echo; document 31 90; } >two.txt
"$VOUCH" tag -q -m m.vouch two.txt >two.out
document 1 30 | "$VOUCH" tag -q -m m.vouch >pieces.out
{ echo "$mark"; echo; document 31 90; } | "$VOUCH" tag -q -m m.vouch >>pieces.out
cmp two.out pieces.out && echo same
grep -v -e DOCSTART two.out | cmp -s - 1.txt || echo other

echo '-- a sentence waits for four more, or for the end of its document, and no longer'
answered() { [ "$(grep -c '^$' out)" -ge "$1" ]; }
mkfifo in
"$VOUCH" tag -q -m m.vouch --format conll <in >out &
exec 3>in
document 1 6 >&3
wait_until answered 2
echo "answered $(grep -c '^$' out) of 6"
{ echo "$mark"; echo; } >&3
wait_until answered 6
echo "answered $(grep -c '^$' out) of 6, and a mark"
exec 3>&-
wait

echo '-- commands that answer, or read files for the model'
"$VOUCH" tune -q --grid quick -m m.vouch -o tuned.vouch test.txt | head -n 1
"$VOUCH" info tuned.vouch | grep ^context
"$VOUCH" review -q -m m.vouch --inspect 5 test.txt | wc -l

echo '-- what is refused'
try "$VOUCH" train -q -t ner --context 4 --from m.vouch -o n.vouch train.txt
try "$VOUCH" train -q --from m.vouch -o n.vouch train.txt
"$VOUCH" sample --kind dep -n 60 >dep.txt
try "$VOUCH" train -q -t dep --context 4 -o n.vouch dep.txt
head -n 100 train.txt >few.txt
try "$VOUCH" train -q -t ner --context 4 -o n.vouch few.txt
"$VOUCH" dump m.vouch >dump
sed 's/"context":{[^}]*},*//' dump >wrong
try "$VOUCH" load -o n.vouch wrong
sed 's/"name":"first"/"name":"label"/' dump >wrong
try "$VOUCH" load -o n.vouch wrong
