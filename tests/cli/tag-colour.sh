# --colour: one sentence a line, chunks marked with their type.
. "$CLI/common"
corpus
learn -t ner -n 3 --no-calibrate -o m.vouch train.txt
head -n 60 test.txt | "$VOUCH" tag -m m.vouch --colour $THREADS | sed "s/$(printf '\033')/ESC/g"

# --color is the same option. NO_COLOR overrides neither, and without them nothing is coloured, even on a terminal.
head -n 60 test.txt >some.txt
"$VOUCH" tag -q -m m.vouch --colour some.txt >colour
NO_COLOR=1 "$VOUCH" tag -q -m m.vouch --colour some.txt | cmp - colour
NO_COLOR=1 "$VOUCH" tag -q -m m.vouch --color some.txt | cmp - colour
"$VOUCH" sample --kind dep -n 60 >trees.conllu
learn -t dep -n 1 --no-calibrate -o d.vouch trees.conllu
"$VOUCH" parse -q -m d.vouch --confidence delta --colour trees.conllu >colour
"$VOUCH" parse -q -m d.vouch --confidence delta --color trees.conllu | cmp - colour
TERM=xterm-256color script -qec "'$VOUCH' tag -q -m m.vouch some.txt" /dev/null >screen
! grep "$(printf '\033')" screen
