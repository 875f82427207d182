# A figure and its numbers, both or neither; without gnuplot the numbers alone.
. "$CLI/common"
try "$VOUCH" draws --draws 50,500 --plot bound.svg | grep '^err\|^exit'
grep -q '>50 draws<' bound.svg
grep -q '>500 draws<' bound.svg
grep '</svg>' bound.svg
head -5 bound.dat
grep -n '#' bound.dat
ls -A
mkdir bin empty
try env PATH="$PWD/bin" "$VOUCH" draws --plot empty/bound.svg
try "$VOUCH" draws --plot missing/bound.svg
try "$VOUCH" draws --plot -
ls -A . empty
