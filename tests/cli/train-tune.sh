# --tune tries a grid on held-out sentences, keeps the best value and records all.
. "$CLI/common"
"$VOUCH" sample -n 200 --noise 0.02 >train.txt
"$VOUCH" sample -n 60 --first 200 --unseen-names >test.txt
for algorithm in cw pa crf perceptron cw+crf; do
    "$VOUCH" train --no-calibrate -t ner -a $algorithm -n 2 --tune -v $THREADS --log log -o m.vouch train.txt 2>said
    sed 's/, [0-9.]* s$//' said
    grep '"tuned"' log || echo "nothing tuned"
    "$VOUCH" eval -q -m m.vouch test.txt | sed -n 2p
done
"$VOUCH" info m.vouch | grep ^voice
