# Several files are one corpus, compressed or not.
. "$CLI/common"
"$VOUCH" sample -n 200 >train.txt
"$VOUCH" sample -n 120 >first.txt
"$VOUCH" sample -n 80 --first 120 | gzip >second.gz
learn -t ner -a pa -n 2 --no-calibrate -o whole.vouch train.txt
learn -t ner -a pa -n 2 --no-calibrate -o parts.vouch first.txt second.gz
"$VOUCH" dump whole.vouch | grep -v ^header >whole
"$VOUCH" dump parts.vouch | grep -v ^header >parts
cmp whole parts
"$VOUCH" info whole.vouch | grep '^trained on'
"$VOUCH" info parts.vouch | grep '^trained on'
