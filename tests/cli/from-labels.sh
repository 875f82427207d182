# --from: labels that are new come behind the old ones, whose weights stay where they belong.
. "$CLI/common"
printf 'a X\nb Y\n' >old
printf 'c Z\na X\n' >new
printf 'U:%%x[0,0]\nB\n' >template
learn -t pos -a perceptron -n 1 --template template --no-calibrate -o m.vouch old
"$VOUCH" dump m.vouch | grep -v ^header
"$VOUCH" train --from m.vouch -n 1 -q -o n.vouch new
"$VOUCH" info n.vouch | grep ^labels
"$VOUCH" dump n.vouch | grep -v ^header
"$VOUCH" tag -m n.vouch new
