# Ctrl-C leaves the old model as it was, and no other file.
. "$CLI/common"
"$VOUCH" sample -n 100 >train.txt
"$VOUCH" sample -n 5000 --first 100 >dev.txt
learn -t ner -a cw+crf -n 1 --no-calibrate -o m.vouch train.txt
cp m.vouch same.vouch
"$VOUCH" tune -m m.vouch --in-place dev.txt >printed 2>said &
wait_for said '^read'
wait_until has_worked $! $(($(worked $!) + 20))
end_by INT
cat printed said
cmp m.vouch same.vouch
rm printed said
ls -A
