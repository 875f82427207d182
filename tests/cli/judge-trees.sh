# vouch judge --arcs: scores of arcs as JSON lines, in both orders, with the root as a node and on the diagonal.
. "$CLI/common"
"$VOUCH" sample --kind dep -n 120 >dev.conllu
"$VOUCH" sample --kind dep -n 20 --first 120 >test.conllu

# Scores of the arcs of $1: 3 for a gold one, and noise. $2: turned, or diagonal, or neither.
scores()
{
    awk -F '\t' -v how="$2" '
        function noise(x) { x = sin(x * 12.9898) * 43758.5453; return 4 * (x - int(x)) - 2 * (x < 0 ? -1 : 1) }
        function arc(h, m) {
            return h == m || m == 0 ? "null" : sprintf("%.4f", (head[m] == h ? 3 : 0) + noise(S * 97 + h * 31 + m))
        }
        function number(i, j) {
            if (how == "diagonal")
                return i == j ? arc(0, j + 1) : arc(i + 1, j + 1)
            return how == "turned" ? arc(j, i) : arc(i, j)
        }
        $1 ~ /^[0-9]+$/ { head[++N] = $7 }
        !NF && N {
            S++
            n = how == "diagonal" ? N : N + 1
            printf "{\"scores\": ["
            for (i = 0; i < n; i++) {
                printf "%s[", i ? ", " : ""
                for (j = 0; j < n; j++)
                    printf "%s%s", j ? ", " : "", number(i, j)
                printf "]"
            }
            print "]}"
            N = 0
        }' "$1"
}
scores dev.conllu plain >dev.jsonl
for how in plain turned diagonal; do
    scores test.conllu $how >$how.jsonl
done

echo "== the same trees whatever the order"
"$VOUCH" judge -q --scores plain.jsonl --arcs head-first $THREADS test.conllu >plain.conllu
"$VOUCH" judge -q --scores turned.jsonl --arcs modifier-first $THREADS test.conllu | cmp - plain.conllu && echo same
"$VOUCH" judge -q --scores diagonal.jsonl --arcs head-first --root diagonal $THREADS test.conllu | cmp - plain.conllu &&
    echo same
sed -n 1,8p plain.conllu
echo "== the other order is refused"
try "$VOUCH" judge -q --scores turned.jsonl --arcs head-first test.conllu
try "$VOUCH" judge -q --scores dev.jsonl --arcs modifier-first --gold dev.conllu -o m.judge
echo "== calibrated, and used"
"$VOUCH" judge -q --scores dev.jsonl --arcs head-first --gold dev.conllu -o m.judge $THREADS | head -n 1
"$VOUCH" info m.judge | grep -v '^file\|^written'
"$VOUCH" parse -q -m m.judge --scores plain.jsonl $THREADS test.conllu >parsed
"$VOUCH" judge -q -m m.judge --scores plain.jsonl $THREADS test.conllu | cmp - parsed && echo same
"$VOUCH" judge -q -m m.judge --scores plain.jsonl $THREADS | sed -n 1,6p
"$VOUCH" eval -q -m m.judge --scores plain.jsonl --resamples 0 $THREADS test.conllu | head -n 9
"$VOUCH" review -q -m m.judge --scores plain.jsonl --inspect 2 $THREADS test.conllu | cut -f 1-8
"$VOUCH" active next -q --pool test.conllu -m m.judge --scores plain.jsonl -n 1 $THREADS | head -n 2
"$VOUCH" judge -q -m m.judge --scores plain.jsonl --draw text $THREADS test.conllu | head -n 3
try "$VOUCH" trade -q -m m.judge --scores plain.jsonl test.conllu
