# The numbers of other programs are calibrated by gold, and further answers get probabilities.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/common"
"$VOUCH" sample -n 300 --kind ner >train.txt
"$VOUCH" sample -n 300 --kind ner --first 300 --unseen-names >dev.txt
"$VOUCH" sample -n 200 --kind ner --first 600 --unseen-names >test.txt
learn -t ner -n 3 --no-calibrate -o ner.vouch train.txt
for file in dev test; do
    "$VOUCH" tag -q -m ner.vouch -c delta $file.txt >$file.out
    "$VOUCH" tag -q -m ner.vouch -c gamma --raw $file.txt >$file.gamma
done

echo "margins:"
"$VOUCH" tune $THREADS --answers dev.out -o margins.json 2>told
cat told
sed -e '/"version"/d' -e '/"calibration": {/,/}/d' margins.json
"$VOUCH" eval -q $THREADS --resamples 0 --answers test.out -m margins.json | sed -n '/^as a/,/^$/p'
echo "columns, CSV and JSON lines are completed, and calibrated alike:"
"$VOUCH" tag --answers test.out -m margins.json >columns.out
head -n 3 columns.out
sed 's/ [^ ]*$//' columns.out | cmp - test.out
awk 'BEGIN { print "word,y_hat,p" } NF { print "\"" $1 "\"," $5 "," $6 }' test.out |
    "$VOUCH" tag --answers - --columns gold,y_hat,p -m margins.json >table.csv
head -n 2 table.csv
awk 'NF { print $NF }' columns.out >probabilities
sed -e 1d -e 's/.*,//' table.csv | cmp - probabilities
awk 'NF { t = t c "\"" $1 "\""; n = n c $6; c = ", " }
     !NF { print "{\"tokens\": [" t "], \"confidence\": [" n "] }"; t = n = c = "" }' test.out |
    "$VOUCH" tag --answers - -m margins.json >sentences.jsonl
head -n 1 sentences.jsonl
sed -e 's/.*: \[//' -e 's/]}//' -e 's/, /\n/g' sentences.jsonl | cmp - probabilities
"$VOUCH" eval -q $THREADS --resamples 0 --answers columns.out --columns 4,5,7 | sed -n '/^confidence *unstated/p'
{ printf -- '-DOCSTART- O O 1\n\n'; printf 'a O O 2.5\n'; } | "$VOUCH" tag --answers - -m margins.json
"$VOUCH" tag --answers test.out -m margins.json -o written.out
cmp written.out columns.out

echo "probabilities:"
"$VOUCH" tune -q $THREADS --answers dev.gamma -o gamma.json
"$VOUCH" tune -q --json --answers dev.gamma -o gamma.json | grep -c log_loss

echo "trees, with gold beside the answers and in a file of its own:"
"$VOUCH" sample --kind dep -n 150 >train.conllu
"$VOUCH" sample --kind dep -n 60 --first 200 | grep -v '^#' >gold.conllu
learn -t dep -n 2 --bits 16 -o dep.vouch train.conllu
"$VOUCH" parse -q -m dep.vouch gold.conllu | grep -v '^#' >system.conllu
paste gold.conllu system.conllu | awk -F '\t' -v OFS='\t' 'NF < 20 { print ""; next }
    { print $11, $12, $13, $14, $15, $16, $17, $18, $19, "GoldHead=" $7 "|GoldRel=" $8 "|" $20 }' >both.conllu
"$VOUCH" eval -q $THREADS --resamples 0 --answers both.conllu >both.report
"$VOUCH" eval -q $THREADS --resamples 0 --answers system.conllu gold.conllu >two.report
diff both.report two.report || true
"$VOUCH" tune -q $THREADS --answers both.conllu -o heads.json
"$VOUCH" tune -q --answers system.conllu -o two.json gold.conllu >/dev/null
sed -e '/"file"/d' -e '/"command"/d' heads.json >one.json
sed -e '/"file"/d' -e '/"command"/d' two.json | cmp - one.json
"$VOUCH" eval -q --resamples 0 --answers both.conllu -m heads.json | sed -n '/^confidence *cal/p'
"$VOUCH" eval -q --resamples 0 --answers both.conllu --columns GoldRel,deprel,RelConf | sed -n 1,2p
"$VOUCH" sample --kind dep -n 5 |
    awk -F '\t' -v OFS='\t' 'NF == 10 { $10 = "GoldUpos=" $4 "|UposConf=0." $1 } 1' >pos.conllu
"$VOUCH" eval -q --resamples 0 --column upos --answers pos.conllu | sed -n 1,2p

echo "one sentence or many:"
printf 'a B-X B-X 0.9\nb I-X O 0.2\n' >rows.txt
for rows in apart together; do
    "$VOUCH" eval -q --resamples 0 --rows $rows --answers rows.txt | sed -n -e 1p -e '$p'
done
{ cat rows.txt; echo; } | "$VOUCH" eval -q --resamples 0 --answers - | sed -n -e 1p -e '$p'

echo "line ends, byte order marks, separators and the end of a file stay:"
printf 'a\tO\t7.5\r\n\r\nb\tO\t3\r\n' >crlf.txt
for format in auto conll; do
    "$VOUCH" tag --format $format --answers crlf.txt -m margins.json | tr '\r\t' '!>'
done
printf '\357\273\277word,guess,confidence\r\na,O,4' >marked.csv
"$VOUCH" tag --answers marked.csv -m margins.json >marked.out
od -A n -c marked.out
printf '{"guess": ["O"], "confidence": [4]}' | "$VOUCH" tag --answers - -m margins.json | tail -c 3 | od -A n -c

echo "refused:"
printf '{"guess": "O", "confidence": 4, "calibrated": 0.5}\n' >again.jsonl
try "$VOUCH" tag --answers again.jsonl -m margins.json
try "$VOUCH" tag --answers marked.out -m margins.json
try "$VOUCH" tag --answers both.conllu -m margins.json
try "$VOUCH" tune --answers dev.out
try "$VOUCH" tune --answers dev.out -o -
try "$VOUCH" tune --answers dev.out -m ner.vouch -o c.json
try "$VOUCH" tune --answers dev.out -o dev.out
try "$VOUCH" tune -m ner.vouch --columns 1,2,3 dev.txt
try "$VOUCH" eval --answers dev.out --rows both
try "$VOUCH" eval --answers dev.out -m ner.vouch
try "$VOUCH" eval --answers dev.out -m gamma.json
try "$VOUCH" eval --answers dev.out -m heads.json
try "$VOUCH" eval --answers both.conllu -m gamma.json
try "$VOUCH" tag --answers dev.out
try "$VOUCH" tag --answers test.out -m margins.json -o test.out
try "$VOUCH" tag --answers dev.out -m gamma.json
try "$VOUCH" tag --answers dev.out -m heads.json
try "$VOUCH" tag --answers dev.out -m missing.json
try "$VOUCH" tag --answers dev.out -m gamma.json dev.txt
try "$VOUCH" tag --columns 1,2,3 -m ner.vouch dev.txt
try "$VOUCH" tag --format conllu --answers dev.out -m gamma.json
sed 's/"a"/"A"/; s/"x"/"X"/' margins.json >damaged.json
try "$VOUCH" tag --answers dev.out -m damaged.json
sed 's/GoldHead=[0-9]*/GoldHead=99/' both.conllu >far.conllu
try "$VOUCH" eval --answers far.conllu
sed '3s/GoldRel=[a-z]*|//' both.conllu >some.conllu
try "$VOUCH" eval --answers some.conllu
sed '3s/HeadConf/Conf/' both.conllu >none.conllu
try "$VOUCH" eval --answers none.conllu
try "$VOUCH" eval --answers rows.txt --columns gold,guess,p
