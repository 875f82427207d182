# Document marks, and what is behind the last sentence, have no scores, wherever they are in a file.
. "$CLI/common"
printf 'O\nB-X\n' >labels.txt
printf '{"scores": [[1, 0], [0, 1]]}\n{"scores": [[1, 0]]}\n' >scores.jsonl
mark='-DOCSTART- O'
words='a O\nb B-X\n\n'
last='c O\n'
write() { printf '%b' "$1" >"$2"; }
write "$words$last" none.txt
write "$mark\n\n$words$mark\n\n$last" front.txt
write "$words$mark\n\n$last\n$mark\n" behind.txt
write "$words$mark\n\n$last\n$mark\n\n" behind-blank.txt
write "$words$mark\n\n$last$mark" behind-at-once.txt
write "$words$last\n\n\n" blank.txt
write "$words$last\n# the end\n" comment.txt
lines='{"tokens": ["a", "b"], "labels": ["O", "B-X"]}\n{"tokens": ["c"], "labels": ["O"]}\n'
write "$lines\n" lines.jsonl
write "$lines"'{"tokens": ["-DOCSTART-"], "labels": ["O"]}\n\n' mark.jsonl
write 'a b\nc\n-DOCSTART-\n\n' plain.txt
for file in none front behind behind-blank behind-at-once blank comment; do
    for way in "--raw $file.txt" "--gold $file.txt -o m.vouch"; do
        status=0
        "$VOUCH" judge -q --scores scores.jsonl --labels labels.txt $way >out 2>said || status=$?
        echo "$file ${way%% *} $status $(cat said)"
    done
    "$VOUCH" eval -q -m m.vouch --scores scores.jsonl $file.txt | head -n 1
    "$VOUCH" tag -q -m m.vouch --scores scores.jsonl $file.txt | awk '$1 ~ /^[abc]$/ { print $1, $3 }' | paste -s
done
for file in lines.jsonl mark.jsonl plain.txt; do
    status=0
    "$VOUCH" judge -q --scores scores.jsonl --labels labels.txt --raw $file >out 2>said || status=$?
    echo "$file $status $(cat said)"
done
echo "== an empty sentence is one"
write '{"tokens": ["a", "b"]}\n{"tokens": []}\n{"tokens": ["c"]}\n' empty.jsonl
try "$VOUCH" judge -q --scores scores.jsonl --labels labels.txt --raw empty.jsonl
