# Of many words, calibrating fits on the first ones, and says so.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/common"
"$VOUCH" sample -n 3600 >dev.txt
cut -d ' ' -f 4 dev.txt | grep . | sort -u >labels.txt
awk 'function noise(x) { x = sin(x * 12.9898) * 43758.5453; return 4 * (x - int(x)) - 2 }
     FILENAME == "labels.txt" { label[++Y] = $1; next }
     NF { w++; row = ""; for (y = 1; y <= Y; y++)
              row = row (y > 1 ? "," : "") sprintf("%.3f", 5 * (label[y] == $4) + noise(w * 31 + y))
          rows = rows (rows ? "," : "") "[" row "]" }
     !NF && rows { print "{\"scores\":[" rows "]}"; rows = "" }' labels.txt dev.txt >dev.jsonl
"$VOUCH" judge -q --scores dev.jsonl --labels labels.txt --gold dev.txt $THREADS >table
grep -c . <dev.txt
sed -n 1,3p table
awk -v RS= -v ORS='\n\n' 'NR <= 1000' dev.txt >less.txt
head -n 1000 dev.jsonl >less.jsonl
"$VOUCH" judge -q --scores less.jsonl --labels labels.txt --gold less.txt $THREADS | sed -n 1,3p
