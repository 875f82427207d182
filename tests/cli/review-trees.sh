# Heads and relations.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/tree_common"
"$VOUCH" sample --kind dep -n 60 --noise 0.03 >trees.conllu
review()
{
    "$VOUCH" review $THREADS -t dep --bits 14 -n 2 --folds 2 "$@" trees.conllu
}
try review --inspect 5
review --unlabelled -q --inspect 2 | cut -f 1-8,15,16
review --unlabelled -q --level sentence --inspect 1 --as jsonl
review --unlabelled -q --inspect 1 --as html | sed -n '/^<ol/,/^<\/ol>/p'

# Sentences with several roots are judged as well.
two_roots >>trees.conllu
review --unlabelled --level sentence --inspect all 2>said | grep -c 'yes no'
head -n 2 said

# A whole tree that was proposed is a tree; only heads and relations change.
review --level sentence --inspect 10 -q | sed '1!s/\t\t/\t+\t/' >decided.tsv
"$VOUCH" review --apply decided.tsv -o corrected.conllu trees.conllu 2>said
cat said
blank()
{
    awk -F '\t' -v OFS='\t' 'NF == 10 { $7 = $8 = "" } 1' "$1"
}
blank trees.conllu >before
blank corrected.conllu | cmp - before
diff trees.conllu corrected.conllu | grep -c '^>'

# One word of it by itself may not be: a head of one's own, as text and layer are not there to be compared.
printf 'file\tline\tword\twords\tgiven\tproposed\tdecision\n' >own.tsv
printf 'trees.conllu\t3\t1\t1\t%s\t\t1\n' "$(awk 'NR == 3 { print $7 ":" $8 }' trees.conllu)" >>own.tsv
try "$VOUCH" review --apply own.tsv --task dep trees.conllu
