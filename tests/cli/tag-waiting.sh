# A client that waits on a pipe gets each answer at once: it sends the next question only after it.
. "$CLI/common"
"$VOUCH" sample --kind pos -n 50 >train.txt
learn -t pos -n 1 --no-calibrate -o m.vouch train.txt
mkfifo questions answers
timeout -s KILL 200 "$VOUCH" tag -m m.vouch --format plain <questions >answers &
exec 3>questions 4<answers
for i in 1 2 3; do
    echo "is this question number $i ?" >&3
    read -r answer <&4
    echo "$answer" | sed 's|/[^ ]*||g'
done
exec 3>&-
wait $!
