# Ctrl-C ends a program that waits for input.
. "$CLI/common"
"$VOUCH" sample --kind pos -n 50 >train.txt
"$VOUCH" train --no-calibrate -t pos -n 1 -q -o m.vouch train.txt
mkfifo questions
"$VOUCH" tag $THREADS -m m.vouch --format plain -o answers <questions 2>said &
tag=$!
exec 3>questions
echo "is this question number 1 ?" >&3
sleep 0.5
kill -INT $tag
sleep 1
if kill -0 $tag 2>/dev/null && ! grep -q '^State:.*zombie' /proc/$tag/status; then
    echo "it still waits"
    kill -KILL $tag
else
    echo "ended"
fi
exec 3>&-
wait $tag || true
