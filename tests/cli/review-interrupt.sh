# Ctrl-C ends it, and leaves no file behind.
. "$CLI/common"
"$VOUCH" sample -n 5000 >train.txt
"$VOUCH" review -t ner -n 50 -o list.tsv train.txt 2>said &
wait_for said '^read'
wait_until has_worked $! $(($(worked $!) + 20))
end_by INT
cat said
rm said
ls -A
