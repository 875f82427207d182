# A name that is labelled wrongly in all of its places is found by its contexts.
# Release only: slow under sanitizers, which reach the same code in unit tests.
. "$CLI/common"
"$VOUCH" sample -n 600 >clean.txt
called()
{
    awk -v label="$1" '$1 == "French" && $NF == "B-MISC" { sub(/[^ ]*$/, label) } 1' clean.txt >train.txt
    diff clean.txt train.txt | grep -c '^>'
    "$VOUCH" review $THREADS -q -t ner --names --inspect 100 train.txt >list.tsv
    awk -F '\t' '$6 == "French" { places++; told += $16 ~ /the contexts of its/ } END { print places, told }' list.tsv
    grep '	French	' list.tsv | head -n 2 | cut -f 1,6-8,10,16
}
called O

# Base phrases follow from words more than from their contexts, models of other files need no such help, and it is
# done only if it is asked for.
"$VOUCH" sample --kind chunk -n 100 >chunks.txt
"$VOUCH" review -q -t chunk -n 1 --names --inspect all chunks.txt | grep -c 'the contexts of its' || true
"$VOUCH" sample -n 100 --first 9000 >other.txt
"$VOUCH" train -q -t ner -n 2 --no-calibrate -o other.model other.txt
"$VOUCH" review -q -m other.model --inspect all train.txt | grep -c 'the contexts of its' || true
"$VOUCH" review -q -m other.model --names train.txt 2>&1 || echo "exit $?"
"$VOUCH" review -q -t ner --inspect all train.txt | grep -c 'the contexts of its' || true
