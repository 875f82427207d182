# How many draws are enough: the numbers of the paper, tables, and what to do next.
. "$CLI/common"
try "$VOUCH" draws
"$VOUCH" draws --words 500000 --epsilon 0.05 --delta 0.05 2>err | grep Hoeffding.*any
cat err
"$VOUCH" draws -q --words 25000 | grep Hoeffding.*any
echo "two numbers, one of them one"
"$VOUCH" draws -q --draws 1,500 --delta 0.2
"$VOUCH" draws -q --words 1000000 --draws 10 | tail -2
