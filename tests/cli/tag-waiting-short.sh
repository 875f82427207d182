# The same if the first line is short.
. "$CLI/common"
"$VOUCH" sample --kind pos -n 50 >train.txt
learn -t pos -n 1 --no-calibrate -o m.vouch train.txt
mkfifo questions answers
timeout -s KILL 200 "$VOUCH" tag -m m.vouch --format plain <questions >answers &
exec 3>questions 4<answers
echo "yes ?" >&3
if read -r answer <&4; then
    echo "$answer" | sed 's|/[^ ]*||g'
else
    echo "no answer"
fi
exec 3>&-
wait $! || true
