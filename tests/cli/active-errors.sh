# What 'vouch active' refuses.
. "$CLI/tree_common"
corpus
try "$VOUCH" active
try "$VOUCH" active --pool train.txt
try "$VOUCH" active --pool train.txt --test test.txt
try "$VOUCH" active --pool train.txt --test test.txt -t sums
try "$VOUCH" active -t ner --pool train.txt --test test.txt train.txt
try "$VOUCH" active -t ner --pool train.txt --test test.txt -m m.vouch
try "$VOUCH" active -t ner --pool train.txt --test test.txt -n 5
try "$VOUCH" active -t ner --pool train.txt --test test.txt -o out
try "$VOUCH" active -t ner --pool train.txt --test test.txt -c luck
try "$VOUCH" active -t ner --pool train.txt --test test.txt -c gamma/bald
try "$VOUCH" active -t ner --pool train.txt --test test.txt -c random/mean
try "$VOUCH" active -t ner --pool train.txt --test test.txt -c delta,,gamma
try "$VOUCH" active -t ner --pool train.txt --test test.txt -c delta,gamma,delta
try "$VOUCH" active -t ner --pool train.txt --test test.txt -a pa -c kd-pc
try "$VOUCH" active -t ner --pool train.txt --test test.txt -c gamma@crf
try "$VOUCH" active -t ner --pool train.txt --test test.txt --diversity 1.5
try "$VOUCH" active -t ner --pool train.txt --test test.txt --choose 0
try "$VOUCH" active -t ner --pool train.txt --test test.txt --candidates 5
try "$VOUCH" active -t ner --pool train.txt --test test.txt --choose 1001
try "$VOUCH" active -t ner --pool train.txt --test test.txt --number 20
try "$VOUCH" active -t ner -q --pool train.txt --test test.txt --initial 200
try "$VOUCH" active -t ner -q --pool train.txt --test test.txt --initial 100 --most 100
try "$VOUCH" active -t ner --pool missing --test test.txt
try "$VOUCH" active -t ner --pool train.txt --test missing
try "$VOUCH" active -t ner --pool train.txt --test test.txt --csv missing/curves.csv
try "$VOUCH" active -t ner --pool train.txt --test test.txt --csv test.txt
try "$VOUCH" active -t ner --pool train.txt --test test.txt --csv train.txt
try "$VOUCH" active -t ner --pool train.txt --test test.txt --plot missing/curves.svg

# Of what is chosen from a file.
"$VOUCH" train --no-calibrate -t ner -a perceptron -n 1 -q -o m.vouch train.txt
try "$VOUCH" active next
try "$VOUCH" active next --pool test.txt
try "$VOUCH" active next -m m.vouch
try "$VOUCH" active next -m m.vouch --pool test.txt --every 10
try "$VOUCH" active next -m m.vouch --pool test.txt --task ner
try "$VOUCH" active next -m m.vouch --pool test.txt --gold 3
try "$VOUCH" active next -m m.vouch --pool test.txt --json
try "$VOUCH" active next -m m.vouch --pool test.txt --passes 3
try "$VOUCH" active next -m m.vouch --pool test.txt --passes 10
try "$VOUCH" active next -m m.vouch --pool test.txt -n 0
try "$VOUCH" active next -m m.vouch --pool test.txt
try "$VOUCH" active next -m m.vouch --pool test.txt -c luck
try "$VOUCH" active next -m m.vouch --pool test.txt -c all
try "$VOUCH" active next -m m.vouch --pool test.txt -c delta,gamma
try "$VOUCH" active next -m m.vouch --pool test.txt -c delta/bald
try "$VOUCH" active next -m m.vouch --pool test.txt -c delta/least
try "$VOUCH" active next -m m.vouch --pool test.txt -c random/mean
try "$VOUCH" active next -m m.vouch --pool test.txt -c kd-pc
try "$VOUCH" active next -m missing --pool test.txt -c delta
try "$VOUCH" active next -m m.vouch --pool missing -c delta
try "$VOUCH" active next -m m.vouch --pool test.txt -c delta missing
try "$VOUCH" active next -m m.vouch --pool test.txt -c delta -o test.txt
try "$VOUCH" active next -m m.vouch --pool test.txt -c delta -o train.txt train.txt
try "$VOUCH" active next -m m.vouch --pool test.txt -c delta -o missing/out
: >empty
try "$VOUCH" active next -m m.vouch --pool empty -c delta
cut -d ' ' -f 1 test.txt >words
try "$VOUCH" active next -m m.vouch --pool words -c delta
printf 'B-PER\tw=Ada\nO\tw=left\n\n' >attributes
try "$VOUCH" active next -m m.vouch --pool test.txt -c delta attributes
ls
