# Review in rounds of heads and relations: decided arcs stay, and proposals fit to them.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/common"
"$VOUCH" sample --kind dep -n 80 --noise 0.04 >trees.conllu
"$VOUCH" sample --kind dep -n 80 >clean.conllu
review()
{
    "$VOUCH" review $THREADS -t dep --bits 14 -n 2 --folds 2 -q "$@" trees.conllu
}

# Decides by the truth: accepts proposals that are right, and confirms labels that were.
decide()
{
    awk -F '\t' -v OFS='\t' 'NR == FNR { right[FNR] = $7 ":" $8; next }
        FNR > 1 { $9 = $7 == right[$3] ? "-" : $8 == right[$3] ? "+" : "" } 1' clean.conllu "$1"
}
review --inspect 20 >list1.tsv
decide list1.tsv >round1.tsv
cut -f 9 round1.tsv | sort | uniq -c
review --inspect 20 --decided round1.tsv >list2.tsv
cut -f 1-10,15,16,18 list2.tsv

# Rows that were decided are gone; all proposals of both rounds together are trees.
awk -F '\t' 'FNR == 1 { next } NR == FNR { if ($9 != "") decided[$3] = 1; next } $3 in decided' round1.tsv list2.tsv |
    wc -l
review --inspect 60 --decided round1.tsv | sed '1!s/\t\t/\t+\t/' >round2.tsv
{ cat round1.tsv; sed 1d round2.tsv; } >both.tsv
"$VOUCH" review -q --apply both.tsv -o corrected.conllu trees.conllu
diff trees.conllu corrected.conllu | grep -c '^>'
review --unlabelled --inspect 2 --decided round1.tsv | cut -f 1-8
