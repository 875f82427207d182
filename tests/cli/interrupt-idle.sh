# Ctrl-C ends a program that waits for input.
. "$CLI/common"
"$VOUCH" sample --kind pos -n 50 >train.txt
learn -t pos -n 1 --no-calibrate -o m.vouch train.txt
mkfifo questions
"$VOUCH" tag $THREADS -m m.vouch --format plain -o answers <questions 2>said &
tag=$!
exec 3>questions
echo "is this question number 1 ?" >&3
wait_until catches $tag
wait_until waits $tag # it has read what there is
kill -INT $tag
wait_until has_ended $tag && echo "ended" || kill -KILL $tag
exec 3>&-
wait $tag || true
