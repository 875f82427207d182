# Curves in both directions: the table, entities against words, types merged, and what programs get.
. "$CLI/common"
corpus
learn -t ner -a cw+crf -n 3 --no-calibrate -o m.vouch train.txt
"$VOUCH" trade -m m.vouch $THREADS --confidence kd-fix,gamma@crf,delta test.txt 2>&1

# It starts where eval is, with types merged as well.
"$VOUCH" eval -q -m m.vouch --confidence none test.txt | sed -n 2p
"$VOUCH" trade -q -m m.vouch $THREADS -c gamma --merge-types --direction recall test.txt >merged
sed 2q merged
"$VOUCH" tag -q -m m.vouch test.txt | awk '
    function merged(label, before) {
        return label == "O" ? label : (before == substr(label, 2) ? substr(label, 1, 1) : "B") "-entity"
    }
    NF { print merged($4, gold), merged($5, guess); gold = substr($4, 2); guess = substr($5, 2) }
    !NF { print; gold = guess = "" }' | "$VOUCH" eval -q | sed -n 2p
tail -n 2 merged

# In words of entities; several files are as one.
"$VOUCH" trade -q -m m.vouch $THREADS -c gamma --unit words --direction precision test.txt test.txt

# The paper's way: single words are replaced, each by its own confidence, types kept, and counted as words. Half an
# entity may be left; a threshold kept so is used so.
"$VOUCH" trade -q -m m.vouch $THREADS -c kd-fix,gamma --drop words --unit words test.txt
"$VOUCH" trade -q -m m.vouch $THREADS -c kd-fix --drop words --direction precision --precision 0.7 -o w.vouch test.txt |
    grep ^chosen
"$VOUCH" info w.vouch | grep ^point
"$VOUCH" tag -q -m w.vouch --operating-point test.txt | cut -d ' ' -f 4,5 | "$VOUCH" eval -q | sed -n 2p

# All points in a file, some of them as JSON.
"$VOUCH" trade -q -m m.vouch $THREADS -c wkb --json --csv points.csv test.txt >result
sed '/"points"/q' result
sed -n '/"within/,/}/p' result
head -n 4 points.csv
cut -d , -f 1,2 points.csv | uniq -c

# On what it was trained on it is too good.
"$VOUCH" trade -m m.vouch -c gamma train.txt 2>&1 >table | grep warning
"$VOUCH" trade -q -m m.vouch -c gamma train.txt 2>&1 >table
