# -v tells the speed, on standard error; without it there is nothing.
. "$CLI/common"
"$VOUCH" sample --kind pos -n 30 >train.txt
learn -t pos -n 1 --no-calibrate -o m.vouch train.txt
"$VOUCH" tag -v -m m.vouch $THREADS train.txt 2>&1 >/dev/null | sed 's/in .*/in T/'
"$VOUCH" tag -m m.vouch $THREADS train.txt 2>&1 >/dev/null
"$VOUCH" tag -qv -m m.vouch $THREADS train.txt 2>&1 >/dev/null
