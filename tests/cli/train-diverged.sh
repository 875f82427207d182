# Weights that grow beyond what a number can hold are no model: nothing is written.
. "$CLI/common"
printf 'A\tx:1e37\tz\nB\ty:1e37\tz\n\nB\tx:1e37\nA\ty:1e37\n\n' >huge.crfsuite
try "$VOUCH" train --no-calibrate -t pos --features attributes -a perceptron -n 30 -q -o m.vouch huge.crfsuite
ls
