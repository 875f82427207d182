# Scores are drawn in pairs of opposite noise, or independently of each other; a model keeps how.
. "$CLI/common"
awk 'BEGIN { srand(1); for (s = 0; s < 120; s++) { printf "{\"scores\": ["; for (n = 0; n < 6; n++)
    printf "%s[%.3f, %.3f, %.3f]", n ? ", " : "", 3 * rand(), 2 * rand(), 2 * rand(); print "]}" } }' >scores.jsonl
awk 'BEGIN { srand(2); for (s = 0; s < 120; s++) { for (n = 0; n < 6; n++) { x = rand()
    print "w" s "." n, x < .6 ? "O" : x < .8 ? "B-X" : "B-Y" } print "" } }' >gold.txt
printf 'O\nB-X\nB-Y\n' >labels.txt
judge() { "$VOUCH" judge -q --scores scores.jsonl "$@"; }
judge -l labels.txt -c kd-fix --raw gold.txt >paired
judge -l labels.txt -c kd-fix --raw --plain-draws gold.txt >plain
cmp -s paired plain || echo "other draws"
judge -l labels.txt -g gold.txt -o p.vouch >/dev/null
judge -l labels.txt -g gold.txt --plain-draws -o q.vouch >/dev/null
judge -m q.vouch -g gold.txt -o r.vouch >/dev/null
for model in p q r; do
    "$VOUCH" info --json $model.vouch | grep paired
done
# Shares of votes as they are, only if draws are plain: of fifty.
votes()
{
    awk 'NF { s = $NF * 50 - int($NF * 50 + .5); moved += s > 1e-4 || s < -1e-4 } END { print moved + 0 }' "$1"
}
votes plain
[ "$(votes paired)" -gt 0 ] && echo "moved towards their limit"
try judge -m p.vouch --plain-draws gold.txt
