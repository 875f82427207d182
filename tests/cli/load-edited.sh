# Weights may be edited as text.
. "$CLI/common"
printf 'a X\nb Y\n' >tiny
printf 'U:%%x[0,0]\n' >template
learn -t pos -a crf -n 1 --template template --no-calibrate -o m.vouch tiny
"$VOUCH" dump m.vouch | grep -v -e ^mean |
    awk -F '\t' '{ print } /^node/ { print n++ ? "mean.0\t1\t-1" : "mean.0\t-1\t1" }' |
    "$VOUCH" load -o turned.vouch
"$VOUCH" tag -m turned.vouch tiny
