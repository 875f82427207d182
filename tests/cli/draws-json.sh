# The same numbers for programs.
"$VOUCH" draws -q --json --words 500000 --draws 50,500 >all
head -11 all
grep -n -A 5 '"draws": 50\|"probability": 0.25,\|"confused"' all
