# --tune chooses what its help names.
"$VOUCH" sample -n 40 >train.txt
"$VOUCH" train --help | tr '\n' ' ' | tr -s ' ' | sed 's/.* --tune \(.*\) --no-calibrate .*/\1/' >help
for algorithm in cw pa crf; do
    "$VOUCH" train --no-calibrate -t ner -a $algorithm -n 1 --tune -q --log log -o m.vouch train.txt
    chosen=$(sed -n 's/.*"parameter":"\([^"]*\)".*/\1/p' log)
    grep -q -w "$chosen" help && echo "$algorithm: $chosen"
done
