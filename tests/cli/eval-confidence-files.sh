# The same as JSON, and the curves and bins as files.
. "$CLI/common"
corpus
learn -t ner -n 2 -o m.vouch train.txt
"$VOUCH" eval -q --json -m m.vouch -c kd-fix+delta --resamples 20 --csv curves $THREADS test.txt >json
sed -n '/"confidence": {/,/"bins"/p' json
echo "bins and sections: $(grep -c '"count"' json), intervals: $(grep -c '"intervals"' json)"
"$VOUCH" eval -q --json -m m.vouch -c delta --raw --resamples 0 --csv curves $THREADS test.txt >json
sed -n '/"area_under_risk_coverage"/,/"spans"/p' json
ls curves
cat curves/words-kd-fix+delta-bins.csv
head -n 4 curves/words-delta-precision-recall.csv
tail -n 2 curves/words-delta-precision-recall.csv
head -n 3 curves/spans-kd-fix+delta-risk-coverage.csv
tail -n 1 curves/spans-kd-fix+delta-risk-coverage.csv

# Methods are compared in pairs, on the same samples of the sentences.
"$VOUCH" eval -q --json -m m.vouch -c kd-fix,delta,wkb --raw --resamples 20 $THREADS test.txt >json
sed -n '/"differences"/,$p' json |
    tr -d ' \n' | cut -c 1-450
