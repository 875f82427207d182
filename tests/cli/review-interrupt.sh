# Ctrl-C ends it, and leaves no file behind.
. "$CLI/common"
"$VOUCH" sample -n 5000 >train.txt
"$VOUCH" review -t ner -n 50 -o list.tsv train.txt 2>said &
wait_for said '^read'
sleep 0.2
kill -INT $!
status=0
wait $! || status=$?
echo "exit $status"
cat said
rm said
ls -A
