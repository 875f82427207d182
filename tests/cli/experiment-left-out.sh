# Steps that do not suit the data, or need more of them, are left out and reported; the report has all others.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/common"
"$VOUCH" sample --kind ner -n 40 >few.txt
few="--folds 2 -n 1 --repeats 1 --tuning 12 --grid quick"
try "$VOUCH" experiment all $few $THREADS -q -o few --k-best 1 --task ner few.txt
grep -c '^## ' few/report.md
grep '^Left out' few/report.md
grep -A 2 '"left_out"' few/results.json

# Parts of speech are labels, and spell no entities.
cut -d ' ' -f 1,2 few.txt >tags.txt
try "$VOUCH" experiment tradeoff $few $THREADS -q -o tags --k-best 1 --task ner tags.txt
grep '^Left out' tags/report.md

# Once more, with more of them.
"$VOUCH" sample --kind ner -n 80 >few.txt
"$VOUCH" experiment all $few $THREADS -q -o few --k-best 1 --task ner few.txt
grep -ci 'left.out' few/report.md few/results.json || true
