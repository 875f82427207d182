# --consistency: confidence also uses what the same words are called elsewhere in the file, which is read twice.
. "$CLI/common"

"$VOUCH" sample -n 150 >train.txt
"$VOUCH" sample -n 30 --first 300 >test.txt
"$VOUCH" train -q -t ner -n 2 $THREADS -o m.vouch train.txt
"$VOUCH" sample --kind dep -n 60 >dep.txt
"$VOUCH" sample --kind dep -n 12 --first 700 >dep.test
"$VOUCH" train -q -t dep -n 2 --bits 14 $THREADS -o dep.vouch dep.txt

echo '-- the same as the method, for any number of threads'
"$VOUCH" tag -m m.vouch --consistency test.txt >1.txt
for threads in 1 2 3; do
    "$VOUCH" tag -q -m m.vouch --confidence committee+text -j $threads test.txt | cmp - 1.txt && echo same
done
"$VOUCH" parse -m dep.vouch --consistency dep.test >1.conll
"$VOUCH" parse -q -m dep.vouch -c committee+text -j 3 dep.test | cmp - 1.conll && echo same
gzip -k test.txt
"$VOUCH" tag -q -m m.vouch --consistency test.txt.gz | cmp - 1.txt && echo same

echo '-- labels are those without it; confidence is not'
"$VOUCH" tag -q -m m.vouch test.txt >plain.txt
cut -d ' ' -f 1-5 1.txt >1.labels
cut -d ' ' -f 1-5 plain.txt | cmp - 1.labels && echo same
cmp -s 1.txt plain.txt || echo other

echo '-- it depends on the rest of the file, and the first part of a file on the second'
head -n 40 test.txt >half.txt
"$VOUCH" tag -q -m m.vouch --consistency half.txt >half.out
head -n 40 1.txt | cmp -s - half.out || echo other

echo '-- each file that is measured is a text of its own'
"$VOUCH" eval -q --json --resamples 0 -m m.vouch -c committee,committee+text test.txt |
    tr ',' '\n' | grep '"method"' | head -n 2
"$VOUCH" eval -q --json --resamples 0 -m m.vouch --consistency -j 1 half.txt test.txt >eval.1
"$VOUCH" eval -q --json --resamples 0 -m m.vouch --consistency -j 3 half.txt test.txt | cmp - eval.1 && echo same

echo '-- trade can go by it, and an operating point does then'
"$VOUCH" trade -q -m m.vouch -c committee+text --precision 0.6 -o point.vouch test.txt >trade.out
"$VOUCH" tag -m point.vouch --operating-point test.txt >point.out

echo '-- what is refused'
try "$VOUCH" tag -q -m m.vouch --consistency <test.txt
mkfifo pipe
cat test.txt >pipe &
try "$VOUCH" tag -q -m m.vouch --consistency pipe
wait
try "$VOUCH" tag -m m.vouch --consistency -c gamma test.txt
try "$VOUCH" tag -m m.vouch --consistency -c none test.txt
try "$VOUCH" eval -m m.vouch --consistency -c none test.txt
try "$VOUCH" tag -m m.vouch --consistency --raw test.txt
"$VOUCH" train -q -t ner -n 2 --no-calibrate -o old.vouch train.txt
try "$VOUCH" tag -m old.vouch --consistency test.txt
printf 'a\tb\n\n' >bad.txt
cat test.txt bad.txt >cut.txt
try "$VOUCH" tag -q -m m.vouch --consistency cut.txt

echo '-- it has no place where there is one sentence, and is no default'
"$VOUCH" tag -m m.vouch -c all test.txt 2>&1 >/dev/null | grep -c text
"$VOUCH" tag -m m.vouch test.txt 2>&1 >/dev/null
