# What is out of range, and what is no number.
. "$CLI/common"
try "$VOUCH" draws --words 0
try "$VOUCH" draws --words many
try "$VOUCH" draws --epsilon 0
try "$VOUCH" draws --epsilon 1.5
try "$VOUCH" draws --delta 0
try "$VOUCH" draws --delta 1
try "$VOUCH" draws --draws 0
try "$VOUCH" draws --draws 50,
try "$VOUCH" draws --draws 50,x
try "$VOUCH" draws --draws ''
try "$VOUCH" draws --draws 1,2,3,4,5,6,7
try "$VOUCH" draws --draws 1000000001
try "$VOUCH" draws file.txt
"$VOUCH" draws -q --words 1000000000000000 --epsilon 0.000001 --delta 0.000000000001 --draws 1000000000 | sed -n 3,6p
