# JSON lines that are not what they should be: the line is named.
. "$CLI/common"
"$VOUCH" sample --kind pos -n 20 >train.txt
learn -t pos -n 1 --no-calibrate -o m.vouch train.txt
for line in '{"tokens": ["a"' '["a"]' '{"words": ["a"]}' '{"tokens": "a"}' '{"tokens": [1]}' '{"tokens": [""]}' \
    '{"tokens": [[]]}' '{"tokens": [["a", "b"]]}' '{"tokens": ["a"], "tokens": ["b"]}' '{"tokens": ["\ud800"]}'; do
    printf '{"tokens": ["ok"]}\n%s\n' "$line" >in.jsonl
    try "$VOUCH" tag -m m.vouch -o out.jsonl in.jsonl
done
printf '{"tokens": ["a"], "labels": []}\n' >in.jsonl
try "$VOUCH" eval -m m.vouch in.jsonl
ls -A
