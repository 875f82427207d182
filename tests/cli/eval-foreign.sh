# Answers of other programs, in columns, CSV and JSON lines, have the figures of a file that vouch wrote.
. "$CLI/common"
"$VOUCH" sample -n 100 >gold.txt
"$VOUCH" sample -n 100 --noise 0.1 | cut -d ' ' -f 4 >guess.txt
paste -d ' ' gold.txt guess.txt |
    awk 'NF { print $0, $4 == $5 ? 0.7 + NR * 37 % 30 / 100 : 0.3 + NR * 53 % 60 / 100 } !NF { print "" }' >columns.txt

# Shows how the measures of $2... differ from those of columns.
measure()
{
    echo "$1:"
    shift
    "$VOUCH" eval -q $THREADS "$@" >report || echo "exit $?"
    diff columns.report report || true
}

"$VOUCH" eval -q $THREADS --answers columns.txt >columns.report
cat columns.report
echo "as vouch eval FILE has it:"
"$VOUCH" eval -q -c all columns.txt | diff columns.report - || true
measure "numbered columns" --columns 4,5,6,,1 --answers columns.txt
awk 'NF { print $6, $5, $4 } !NF' columns.txt >turned.txt
measure "turned columns, from standard input" --columns 3,2,1 --answers - <turned.txt

awk 'function q(s) { gsub(/"/, "\"\"", s); return "\"" s "\"" }
     BEGIN { print "\"word\",gold, guess ,confidence,sentence" }
     NF { print q($1) "," $4 "," q($5) "," $6 "," n + 0 } !NF { n++ }' columns.txt >table.csv
measure "CSV" --answers table.csv
{ printf '\357\273\277'; sed 's/$/\r/' table.csv; } | gzip >marked.csv.gz
measure "CSV with CR LF and a byte order mark, compressed" --answers marked.csv.gz
awk 'BEGIN { print "y;y_hat;p" } NF { print $4 ";" $5 ";" $6 } !NF' columns.txt >other.csv
measure "semicolons, other headings, blank lines" --columns y,y_hat,p --answers other.csv
awk 'BEGIN { OFS = "\t"; print "confidence", "gold", "guess" } NF { print $6, $4, $5 } !NF' columns.txt >table.tsv
measure "tabs" --answers table.tsv

awk 'NF { t = t c "\"" $1 "\""; g = g c "\"" $4 "\""; p = p c "\"" $5 "\""; n = n c $6; c = ", " }
     !NF { print "{\"tokens\": [" t "], \"gold\": [" g "], \"labels\": [" p "], \"confidence\": [" n "]}"
           t = g = p = n = c = "" }' columns.txt >sentences.jsonl
measure "JSON lines of sentences" --answers sentences.jsonl
awk 'NF { print "{\"gold\": \"" $4 "\", \"guess\": \"" $5 "\", \"confidence\": " $6 ", \"sentence\": " s + 0 "}" }
     !NF { s++ }' columns.txt >words.jsonl
measure "JSON lines of words" --answers words.jsonl
sed -e 's/"gold"/"y"/' -e 's/"sentence"/"s"/' words.jsonl >keys.jsonl
measure "other keys" --columns y,,,s --answers keys.jsonl

echo "no sentences:"
awk NF columns.txt >rows.txt
"$VOUCH" eval -q $THREADS --answers rows.txt | sed -n -e 1,4p -e '/^sentences/p'
echo "no probabilities:"
awk 'NF { $6 = 5 * $6 } 1' columns.txt >margins.txt
"$VOUCH" eval -q $THREADS --answers margins.txt | sed -n -e '/^to find/,/^$/p' -e '/^sentences/,$p'
"$VOUCH" eval -q --json --resamples 0 --answers margins.txt | sed -n -e '/"reliability"/p' -e '/"answers"/,$p'
echo "JSON, a page and points:"
"$VOUCH" eval -q --json --answers table.csv --report page.html --csv points | sed -n -e '/_loss/p' -e '/"answers"/,$p'
grep -o -e 'Evaluation of [a-z.]*</title>' -e '<mark>' page.html | sort | uniq -c | sed 's/^ *//'
ls points

echo "answers to another file, CoNLL-U:"
"$VOUCH" sample --kind dep -n 50 >train.conllu
"$VOUCH" sample --kind dep -n 20 --first 100 >test.conllu
learn -t dep -n 2 --bits 16 -o dep.vouch train.conllu
"$VOUCH" parse -q -m dep.vouch test.conllu >parsed.conllu
"$VOUCH" eval -q -c all test.conllu parsed.conllu >report
"$VOUCH" eval -q --answers parsed.conllu test.conllu | cmp - report && echo "the same"
