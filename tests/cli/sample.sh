# A sentence depends on its number and the seed alone.
for kind in pos chunk np ner; do
    echo "--kind $kind"
    "$VOUCH" sample --kind $kind -n 2
done
echo "--seed 2"
"$VOUCH" sample -n 1 --seed 2
echo "--noise"
"$VOUCH" sample --kind pos -n 2 --noise 0.5

"$VOUCH" sample -n 20 >twenty
"$VOUCH" sample -n 12 >parts
"$VOUCH" sample -n 8 --first 12 >>parts
cmp twenty parts
"$VOUCH" sample -n 20 -o named
cmp twenty named
"$VOUCH" sample -n 0 >none
wc -c <none | tr -d ' '
