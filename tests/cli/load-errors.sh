# A text that is no dump: the line, and what was expected; no file is left behind.
. "$CLI/common"
printf 'a X\nb Y\n' >tiny
printf 'U:%%x[0,0]\nB\n' >template
learn -t pos -a crf -n 1 --template template --no-calibrate -o m.vouch tiny
"$VOUCH" dump m.vouch >text
check()
{
    echo "$1"
    try "$VOUCH" load -o out.vouch bad
}
: >bad; check "empty"
cp tiny bad; check "something else"
sed '1s/2/1/' text >bad; check "another version"
sed '$d' text >bad; check "cut off"
sed 2d text >bad; check "no header"
sed '2s/{/[/' text >bad; check "header that is no JSON"
printf 'vouch-dump\t2\nheader\t{}\nend\n' >bad; check "header without content"
sed 's/^string\ta$/string\tb/' text >bad; check "a string twice"
sed '/^node/d; /^mean/d' text >bad; check "no features"
sed 's/^node\t0\t/node\t5\t/' text >bad; check "a rule that is not there"
sed 's/^node\t0\t.*/&\t1/' text >bad; check "more strings than the rule has"
sed 's/^mean.0\t[^\t]*/mean.0/' text >bad; check "too few weights"
sed 's/^mean.0\t/&0x1p0\t/' text >bad; check "too many weights"
sed 's/^mean.0\t[^\t]*/mean.0\tnan/' text >bad; check "a weight that is not finite"
sed 's/^mean.0\t/mean.1\t/' text >bad; check "a voice that is not there"
sed 's/^node/knot/' text >bad; check "a word that is not known"
sed '/^seen/d' text >bad; check "fewer sentences seen than counted"
sed 's/^seen\t./seen\tx/' text >bad; check "a digest that is none"
sed '/^seen/p' text >bad; check "a digest twice"
try "$VOUCH" load -o out.vouch missing
ls -A
