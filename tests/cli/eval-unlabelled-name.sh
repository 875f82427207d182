# An error names the file and the line.
. "$CLI/common"
"$VOUCH" sample --kind pos -n 20 >train.txt
learn -t pos -n 1 --no-calibrate -o m.vouch train.txt
printf '{"tokens": ["a"], "labels": ["NN"]}\n{"tokens": ["a"]}\n' >bare.jsonl
"$VOUCH" eval -m m.vouch bare.jsonl 2>&1 | grep -o 'bare.jsonl:2'
