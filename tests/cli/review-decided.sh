# Review in rounds: what was decided is learned from, is not listed again, and changes the order of the rest.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/common"
"$VOUCH" sample -n 150 --noise 0.01 >train.txt
"$VOUCH" sample -n 150 >clean.txt
list()
{
    "$VOUCH" review $THREADS -t ner -n 2 -q "$@" train.txt
}

# Decides by the truth: - where the corpus is right, + where the proposal is, else the label.
decide()
{
    awk -F '\t' -v OFS='\t' 'NR == FNR { n = split($0, word, " "); right[FNR] = word[n]; next }
        FNR > 1 { $9 = $7 == right[$3] ? "-" : $8 == right[$3] ? "+" : right[$3] } 1' clean.txt "$1"
}
places()
{
    sed 1d "$1" | cut -f 3 | sort
}

list --inspect 24 >list1.tsv
decide list1.tsv >round1.tsv
cut -f 9 round1.tsv | sort | uniq -c
"$VOUCH" review $THREADS -t ner -n 2 --inspect 20 --decided round1.tsv -o list2.tsv train.txt
cat list2.tsv

# Nothing is listed twice, and the rest is in another order than it was.
places list1.tsv >a
places list2.tsv | comm -12 a - | wc -l
list --inspect all | sed 1d | cut -f 3 | grep -vxFf a | head -n 20 >before
sed 1d list2.tsv | cut -f 3 | cmp -s before - || echo 'another order'
list --inspect all --decided round1.tsv | sed 1d | wc -l
grep -c . train.txt

# Two tables, or one that has the rows of both; a row that is decided twice alike counts once.
decide list2.tsv >round2.tsv
list --inspect 20 --decided round1.tsv --decided round2.tsv >list3.tsv
{ cat round1.tsv; sed 1d round2.tsv; sed -n 2p round1.tsv; } >both.tsv
list --inspect 20 --decided both.tsv | cmp - list3.tsv
places list3.tsv | cat a - | sort | uniq -d | wc -l

# A table without decisions: the list is as it was.
list --inspect 24 --decided list1.tsv | cmp - list1.tsv

# Chunks: a row that shares a word with a decision is not listed. Sentences: they are judged by their other words.
list --level chunk --inspect all --decided round1.tsv | sed 1d | wc -l
list --level chunk --inspect all | sed 1d | wc -l
list --level sentence --inspect 2 --decided round1.tsv | cut -f 3-8

# What was decided can be applied in the end, round by round or at once.
mkdir one two
"$VOUCH" review -q --apply round1.tsv -o one/train.txt train.txt
"$VOUCH" review -q --apply round2.tsv -o two/train.txt one/train.txt
"$VOUCH" review -q --apply both.tsv train.txt | cmp - two/train.txt
diff train.txt two/train.txt | grep -c '^>'

# By a model, and as JSON lines.
"$VOUCH" sample -n 200 --seed 9 >other.txt
learn -t ner -n 2 -o m.vouch other.txt
"$VOUCH" review $THREADS -q -m m.vouch --inspect 2 --as jsonl --decided round1.tsv train.txt
