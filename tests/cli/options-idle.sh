# Options that would do nothing are refused, not ignored.
. "$CLI/common"
refused()
{
    status=0
    "$VOUCH" "$@" >.out 2>.err || status=$?
    echo "$status $(head -n 1 .err)"
}
printf 'O\nB-PER\n' >labels
printf '{"scores":[[1,0],[0,2]]}\n' >scores.jsonl
printf 'a O\nb B-PER\n' >gold.txt
printf 'gold,guess,confidence\nO,O,0.5\n' >answers.csv

for option in --confidence=gamma --vectors=v --alternatives=2 --scores=s --offsets=s --column=upos \
    --on-error=report --raw --draws=2 --consistency --sets --replace=X --header --colour; do
    refused tag -m calibration --answers answers.csv "$option"
done
refused eval --answers answers.csv --scores scores.jsonl
refused eval --answers answers.csv --offsets o.npy
refused eval --answers answers.csv --passes 3
refused eval -m m.vouch --rows together gold.txt
refused eval -m m.vouch --columns 1,2,3 gold.txt
refused eval -m m.vouch --algorithm pa gold.txt
refused eval --rows together gold.txt
refused judge --scores scores.jsonl --labels labels --json gold.txt
for option in --threshold=0.5 --alternatives=2 --sets --replace=X --operating-point --header --colour --raw; do
    refused judge --scores scores.jsonl --labels labels --gold gold.txt -o new.judge "$option"
done
refused judge -m m.judge --scores scores.jsonl --scale 2
refused review --task ner --scores scores.jsonl gold.txt
refused review --task ner --offsets o.npy gold.txt
refused train -t ner --vector-window 2 -o new.vouch gold.txt
refused train -t ner --vector-length 2 -o new.vouch gold.txt
ls
