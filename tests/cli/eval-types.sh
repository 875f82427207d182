# Gold has types that the answers never have: a warning says so, and names --task np if the answers are noun phrases.
. "$CLI/common"
"$VOUCH" sample -n 60 | cut -d ' ' -f 1-3 >train.txt
"$VOUCH" sample -n 40 --first 60 | cut -d ' ' -f 1-3 >test.txt
learn -t np -n 2 --no-calibrate -o np.vouch train.txt
"$VOUCH" tag -q -m np.vouch test.txt >out
"$VOUCH" eval out 2>&1 | grep 'warning\|FB1' | head -n 2
"$VOUCH" eval --task np out 2>&1 | grep 'warning\|FB1' | head -n 2
"$VOUCH" eval -q -m np.vouch test.txt | grep FB1 | head -n 1
"$VOUCH" eval -q out 2>&1 | grep -c warning || true
# A model of some types.
sed 's/[BI]-VP$/O/' train.txt >some.txt
learn -t chunk -n 2 --no-calibrate -o some.vouch some.txt
"$VOUCH" tag -q -m some.vouch test.txt | "$VOUCH" eval 2>&1 | grep warning
