# The list is in the order of its probabilities, which lie between 0 and 1, at every level, with a model and without, of
# labels and of trees; threads change no byte. Accepted proposals leave trees, one by one and all together.
# Release only: models are learned and calibrated for minutes under sanitizers, which other tests reach, too.
. "$CLI/common"
"$VOUCH" sample -n 350 --noise 0.01 >ner.txt
"$VOUCH" sample -n 300 --first 2000 >other.txt
"$VOUCH" sample --kind dep -n 120 --noise 0.02 >dep.conllu
learn -t ner -n 3 -o ner.vouch other.txt
falls()
{
    awk -F '\t' 'NR == 1 { next } !($10 > 0 && $10 < 1) || (NR > 2 && $10 > last) { bad++ } { last = $10 }
        END { print NR - 1 ? "listed" : "nothing", bad + 0, "out of order" }'
}
for level in word chunk sentence; do
    "$VOUCH" review -q -t ner --level $level --inspect all ner.txt | falls
    "$VOUCH" review -q -m ner.vouch --level $level --inspect all ner.txt | falls
done
tree()
{
    "$VOUCH" review -q -t dep --bits 14 -n 2 --folds 2 "$@" dep.conllu
}
tree --inspect all | falls
tree --level sentence --inspect all | falls

for threads in 1 2 8; do
    "$VOUCH" review -q -t ner -j $threads --inspect 200 ner.txt | cksum
    tree -j $threads --inspect 100 | cksum
done | sort | uniq -c | awk '{ print $1, "times the same" }'

# All at once, and each of the first by itself; each tree has one root.
roots()
{
    awk -F '\t' 'NF == 10 { n++; r += $7 == 0 } NF == 0 { bad += n && r != 1; n = r = 0 } END { print bad + 0 }' "$1"
}
tree --inspect 60 >list.tsv
grep -c -- '->' list.tsv
sed '1!s/\t\t/\t+\t/' list.tsv >all.tsv
"$VOUCH" review -q --apply all.tsv -o all.conllu dep.conllu
roots all.conllu
for row in $(seq 2 31); do
    sed "$row"'s/\t\t/\t+\t/' list.tsv >one.tsv
    "$VOUCH" review -q --apply one.tsv -o one.conllu dep.conllu
    roots one.conllu
done | sort | uniq -c | awk '{ print $1, "of", $2 }'
