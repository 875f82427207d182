# --colour: one sentence a line, chunks marked with their type.
. "$CLI/common"
corpus
"$VOUCH" train --no-calibrate -t ner -n 3 -q -o m.vouch train.txt
head -n 60 test.txt | "$VOUCH" tag -m m.vouch --colour $THREADS | sed "s/$(printf '\033')/ESC/g"
