# An audit: rows are drawn, decided by the truth, and the number of errors follows from them.
# Release only: slow under sanitizers, which reach the same code in unit tests.
. "$CLI/common"
"$VOUCH" sample -n 150 --noise 0.02 >train.txt
"$VOUCH" sample -n 150 >clean.txt
review()
{
    "$VOUCH" review $THREADS -t ner -n 2 "$@" train.txt
}
errors()
{
    review --inspect 1 "$@" 2>&1 >/dev/null | grep '^errors\|^decided\|^1 of' || true
}

# Decides by the truth: - where the corpus is right, + where the proposal is, else the label.
decide()
{
    awk -F '\t' -v OFS='\t' 'NR == FNR { n = split($0, word, " "); right[FNR] = word[n]; next }
        FNR > 1 { $9 = $7 == right[$3] ? "-" : $8 == right[$3] ? "+" : right[$3] } 1' clean.txt "$1"
}

review --audit 40 -o audit.tsv 2>&1
cut -f 1,3,6-10,18 audit.tsv | sed -n '1,4p;38,41p'
cut -f 18 audit.tsv | sort | uniq -c
diff train.txt clean.txt | grep -c '^>'

# Before and after the decisions.
errors --decided audit.tsv
decide audit.tsv >audited.tsv
errors --decided audited.tsv
review --inspect 1 --as html --decided audited.tsv 2>/dev/null | grep '<p class="lead">'

# The same seed draws the same rows; another seed, other rows.
review -q --audit 40 | cmp - audit.tsv
review -q --audit 40 --seed 2 | cmp -s - audit.tsv || echo 'other rows'

# Decisions that are not of the audit have no say, wherever they stand, and whichever comes first.
review -q --inspect 30 >list.tsv
decide list.tsv >decided.tsv
errors --decided audited.tsv --decided decided.tsv
errors --decided decided.tsv --decided audited.tsv
{ sed 's/$/\t/' decided.tsv | sed 1d | cat audited.tsv -; } >both.tsv
errors --decided both.tsv

# What is missing widens the interval: rows without a decision, rows that are gone, a stratum that is gone.
awk -F '\t' -v OFS='\t' 'NR > 1 && NR % 4 == 0 { $9 = "" } 1' audited.tsv >some.tsv
errors --decided some.tsv
awk 'NR == 1 || NR % 4' audited.tsv >fewer.tsv
errors --decided fewer.tsv
grep -v '	word 2:' audited.tsv >top.tsv
errors --decided top.tsv

# Another audit, of what is left: none of its rows was decided before, and it is the one that counts.
review --audit 30 --decided audited.tsv -o second.tsv 2>&1 | grep -v '^next'
cut -f 3 audit.tsv | sed 1d | sort >a
cut -f 3 second.tsv | sed 1d | sort | comm -12 a - | wc -l
decide second.tsv >second_audited.tsv
errors --decided audited.tsv --decided second_audited.tsv

# One table may have the rows of all rounds, in any order. Two audits of the same items cannot be told apart.
{ cat audited.tsv; sed 1d second_audited.tsv; } >rounds.tsv
errors --decided rounds.tsv
{ sed -n 1p audited.tsv; sed 1d rounds.tsv | sort -t '	' -k 18,18r -k 3,3n; } >sorted.tsv
errors --decided sorted.tsv
review -q --audit 40 --seed 2 >same.tsv
decide same.tsv | sed 1d | cat audited.tsv - >twice.tsv
# In two tables, the last one counts, with the rows that the first one has as well.
review -q --audit 200 --seed 2 >more.tsv
cut -f 3 more.tsv | sed 1d | sort | comm -12 a - | wc -l
decide more.tsv >more_audited.tsv
errors --decided audited.tsv --decided more_audited.tsv

# Chunks, sentences, and all there is: then the number is known.
for level in chunk sentence; do
    review --level $level --audit 40 2>&1 >/dev/null | sed 1d | grep -v '^next'
done
# What is counted is what was drawn, whatever is listed now.
review -q --level chunk --audit 20 | awk -F '\t' -v OFS='\t' 'NR > 1 { $9 = "-" } 1' >chunks.tsv
errors --decided chunks.tsv
errors --level sentence --decided chunks.tsv
sed 's/chunk \([12]:\)/\1/' chunks.tsv >older.tsv
errors --decided older.tsv
review -q --level word --audit 100000 >all.tsv
decide all.tsv >known.tsv
errors --decided known.tsv

# JSON lines have the column, too. What does not fit is refused.
review -q --audit 40 --as jsonl | head -n 1
said()
{
    status=0
    "$@" 2>&1 >/dev/null || status=$?
    echo "exit $status"
}
said review -q --audit 40 --inspect 3
said review -q --audit 1.5
said "$VOUCH" review --audit 3 --apply audited.tsv train.txt
sed '5s/[^	]*$/word 9:1\/2\/3/' audited.tsv >bad.tsv
said review -q --decided bad.tsv
sed '5s/[^	]*$/word 2:7\/1000\/1807/' audited.tsv >mixed.tsv
said review -q --decided mixed.tsv
said review -q --decided twice.tsv

# --apply does not need to know how rows were drawn.
"$VOUCH" review -q --apply bad.tsv train.txt >corrected.txt
"$VOUCH" review -q --apply audited.tsv train.txt | cmp - corrected.txt

# The next step names what was given: tables, files, the column.
"$VOUCH" sample -n 60 --first 5000 >more.txt
said "$VOUCH" review $THREADS -t ner -n 1 --gold 4 --audit 5 --decided audited.tsv train.txt more.txt
