# A damaged model is refused, wherever the damage is.
. "$CLI/common"
"$VOUCH" sample -n 100 >train.txt
learn -t ner -n 2 --no-calibrate -o m.vouch train.txt
"$VOUCH" info --verify m.vouch | tail -n 1
size=$(wc -c <m.vouch)
damage()
{
    cp m.vouch bad.vouch
    printf '\252' | dd of=bad.vouch bs=1 seek=$1 conv=notrunc 2>/dev/null
}
echo "in the weights:"
damage $((size - 4000))
try "$VOUCH" info --verify bad.vouch
try "$VOUCH" tag -m bad.vouch train.txt
echo "in the header:"
damage $(grep -a -b -o '"template"' m.vouch | head -n 1 | cut -d : -f 1)
try "$VOUCH" info --verify bad.vouch
try "$VOUCH" tag -m bad.vouch train.txt
echo "in the magic:"
damage 1
try "$VOUCH" info bad.vouch
