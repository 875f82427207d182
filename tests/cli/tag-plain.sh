# Plain lines: word/label; empty lines stay where they are.
. "$CLI/common"
corpus pos
learn -t pos -n 3 --no-calibrate -o m.vouch train.txt
printf 'The bank set up the market in Washington .\nHe denied it .\n\n\nThey left .\n\n' >plain.txt
"$VOUCH" tag -m m.vouch $THREADS plain.txt
echo "forced:"
printf 'one\ntwo\n' | "$VOUCH" tag -m m.vouch --format plain $THREADS
