# What tag and parse write can be measured from the file, with the figures that the model has on the same text.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/common"

# Whether report $2, of a file, says what report $1, of the model, says: figures of answers to the letter; of
# confidence those that the file has, to three digits, since its numbers have six; RMSE to two, as one of a hundred
# words may lie on the other side of the edge of a bin.
same()
{
    for same_report in "$1" "$2"; do
        sed -e '/^confidence by/,$d' -e '/^words:/,$d' "$same_report" | sed '/^$/d' >"$same_report.answers"
        sed -n -e '/^confidence by/,$p' -e '/^words:/,$p' "$same_report" | tr -d '*' >"$same_report.confidence"
    done
    cmp "$1.answers" "$2.answers"
    awk 'function off(a, b, most) { return (a == "-") != (b == "-") || a - b > most || b - a > most }
         FNR == 1 { section = "" }
         $1 ~ /:$/ { section = $1 }
         /^to find errors/ || /^as a probability/ { section = section $1 }
         $2 == "by" { section = $1 $2 }
         $2 == "by" || $NF !~ /^(-|[0-9.]+)$/ { next }
         NR == FNR { row[section $1] = $0; next }
         { n = split(row[section $1], model)
           for (i = n > 9 ? 2 : 4; i <= NF; i++)
               if (n != NF || off($i, model[i], i == 8 ? .005 : .0015)) bad = bad " " $1 " " i ": " model[i] " " $i ","
           rows = rows " " $1 }
         END { print "the same, confidence:" (rows ? rows : " none") (bad ? ", BUT" bad : "") }' \
        "$1.confidence" "$2.confidence"
}

# JSON lines of CoNLL columns: tokens of all columns but the last, which is the label.
as_json()
{
    awk 'function q(s) { gsub(/["\\]/, "\\\\&", s); return "\"" s "\"" }
         function out() { if (t) print "{\"tokens\": [" t "], \"labels\": [" l "]}"; t = l = "" }
         NF { w = ""; for (i = 1; i < NF; i++) w = w (w ? ", " : "") q($i)
              t = t (t ? ", " : "") "[" w "]"; l = l (l ? ", " : "") q($NF) }
         !NF { out() } END { out() }'
}

# Measures what was written for test file $2 by model $1, in columns and in JSON lines; $3... are options of eval.
chain()
{
    chain_model=$1 chain_test=$2
    shift 2
    "$VOUCH" eval -q -m "$chain_model" $THREADS --resamples 0 "$chain_test" >model.report
    "$VOUCH" tag -q -m "$chain_model" "$chain_test" >columns.out
    "$VOUCH" eval -q $THREADS --resamples 0 "$@" columns.out >file.report
    same model.report file.report
    "$VOUCH" eval -q --resamples 0 "$@" "$chain_test" columns.out | cmp - file.report
    tr -d '\r' <"$chain_test" | as_json >test.jsonl
    "$VOUCH" tag -q -m "$chain_model" test.jsonl >json.out
    "$VOUCH" eval -q $THREADS --resamples 0 "$@" json.out >file.report
    same model.report file.report
    "$VOUCH" eval -q --resamples 0 "$@" "$chain_test" json.out | cmp - file.report
    "$VOUCH" tag -q -m "$chain_model" -c none "$chain_test" | "$VOUCH" eval -q "$@" >file.report
    same model.report file.report
}

# IOB2 to IOB1 and BIOES, in the last column.
iob1() { awk 'NF { p = substr($NF, 1, 1); t = substr($NF, 3); if (p == "B" && t != last) $NF = "I-" t
                   last = p == "O" ? "" : t } !NF { last = "" } { print }'; }
bioes() { awk '{ line[NR] = $0 } END { for (i = 1; i <= NR; i++) { $0 = line[i]; split(line[i + 1], next_one, " ")
                 goes_on = next_one[4] ~ /^I-/; if ($4 ~ /^B-/ && !goes_on) $4 = "S" substr($4, 2)
                 if ($4 ~ /^I-/ && !goes_on) $4 = "E" substr($4, 2); print } }'; }

few()
{
    "$VOUCH" sample --kind "$1" -n 80 >train.txt
    "$VOUCH" sample --kind "$1" -n 40 --first 200 --unseen-names >test.txt
}
for kind in np pos; do
    few $kind
    learn -t $kind -n 2 -o $kind.vouch train.txt
    echo "$kind:"
    chain $kind.vouch test.txt --task $kind
done
few ner
for scheme in cat iob1 bioes; do
    $scheme <train.txt >train.scheme
    $scheme <test.txt >test.scheme
    learn -t ner -n 2 -o $scheme.vouch train.scheme
    echo "ner, $scheme:"
    chain $scheme.vouch test.scheme
done
echo "CRLF, a document mark and comments:"
{ printf -- '-DOCSTART- -X- -X- O\n\n'; cat test.txt; } | sed 's/$/\r/' >crlf.txt
chain cat.vouch crlf.txt

echo "several methods, alternatives and a threshold:"
"$VOUCH" eval -q -m cat.vouch -c delta,gamma --resamples 0 test.txt | sed '/^spans/,/^$/d' >model.report
"$VOUCH" tag -q -m cat.vouch -c delta,gamma --alternatives 2 --threshold 0.9 crlf.txt >columns.out
"$VOUCH" eval -q -c all --resamples 0 columns.out >unnamed.report
sed -e 's/^confidence-2/gamma       /' -e 's/^confidence    /delta         /' unnamed.report >file.report
same model.report file.report
"$VOUCH" tag -q -m cat.vouch -c delta,gamma --alternatives 2 --threshold 0.9 --header crlf.txt >columns.out
"$VOUCH" eval -q -c all --resamples 0 columns.out >file.report
same model.report file.report
"$VOUCH" eval -q -c gamma --resamples 0 columns.out | grep '^gamma .*calibrated' | wc -l
try "$VOUCH" eval -q -c kd-fix columns.out

echo "trees:"
"$VOUCH" sample --kind dep -n 50 >train.conllu
"$VOUCH" sample --kind dep -n 20 --first 100 | sed 's/^# text.*/&\r/' >test.conllu
learn -t dep -n 2 --bits 16 -o dep.vouch train.conllu
learn -t dep -n 2 --bits 16 --unlabelled -o heads.vouch train.conllu
for model in dep heads; do
    "$VOUCH" eval -q -v -m $model.vouch $THREADS --resamples 0 test.conllu >model.report
    "$VOUCH" parse -q -m $model.vouch test.conllu >answers.conllu
    "$VOUCH" eval -q -v $THREADS --resamples 0 test.conllu answers.conllu >file.report
    same model.report file.report
    sed 's/\r*$/\r/' test.conllu | "$VOUCH" parse -q -m $model.vouch |
        "$VOUCH" eval -q -v --resamples 0 test.conllu - >file.report
    same model.report file.report
    "$VOUCH" parse -q -m $model.vouch -c none test.conllu | "$VOUCH" eval -q -v test.conllu - >file.report
    same model.report file.report
    awk -F '\t' 'function out() { if (t) print "{\"tokens\": [" t "], \"heads\": [" h "], \"relations\": [" r "]}"
                                  t = h = r = "" }
         /^[0-9]/ { c = t ? ", " : ""; t = t c "[\"" $2 "\", \"" $3 "\", \"" $4 "\", \"" $5 "\", \"" $6 "\"]"
                    h = h c $7; r = r c "\"" $8 "\"" } /^$/ { out() } END { out() }' test.conllu >test.jsonl
    "$VOUCH" parse -q -m $model.vouch test.jsonl >json.out
    "$VOUCH" eval -q -v --resamples 0 json.out >file.report
    same model.report file.report
    "$VOUCH" eval -q -v --resamples 0 test.conllu json.out | cmp - file.report
done

echo "pages, points and JSON:"
"$VOUCH" eval -q --json --resamples 0 test.conllu answers.conllu | grep -c '"ece"'
"$VOUCH" tag -q --header -m cat.vouch test.txt >columns.out
"$VOUCH" eval -q --resamples 0 --csv points --report page.html columns.out >/dev/null
ls points
grep -c '<mark>' page.html
"$VOUCH" tag -q -m cat.vouch test.txt | "$VOUCH" eval -q --json --resamples 0 | grep -e calibrated -e '"method"'
