# One file of answers, or gold and answers: a third one is refused, not passed over.
. "$CLI/common"
printf 'a B-X B-X\n' >one
printf 'a B-X O\n' >two
try "$VOUCH" eval one two one
try "$VOUCH" eval - -
