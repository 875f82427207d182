# --consistency: confidence is also estimated by what the same words are called in the text around.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/common"

"$VOUCH" sample -n 160 >train.txt
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

echo '-- a stream gives what a file does'
"$VOUCH" tag -q -m m.vouch --consistency <test.txt | cmp - 1.txt && echo same
cat test.txt | "$VOUCH" tag -q -m m.vouch --consistency | cmp - 1.txt && echo same
mkfifo pipe
cat test.txt >pipe &
"$VOUCH" tag -q -m m.vouch --consistency -j 2 pipe | cmp - 1.txt && echo same
wait

echo '-- stretches of 500 sentences: a sentence depends on its own and the one before, whatever the threads'
"$VOUCH" sample -n 1700 --first 1000 >long.txt
"$VOUCH" tag -q -m m.vouch --consistency long.txt >long.1
for threads in 2 3; do
    "$VOUCH" tag -q -m m.vouch --consistency -j $threads <long.txt | cmp - long.1 && echo same
done
sentences() { awk -v from="$1" -v to="$2" 'BEGIN { n = 1 } n >= from && n <= to { print } !NF { n++ }' "$3"; }
sentences 1 500 long.txt | "$VOUCH" tag -q -m m.vouch --consistency >first.out
sentences 1 500 long.1 | cmp - first.out && echo same
sentences 501 1500 long.txt | "$VOUCH" tag -q -m m.vouch --consistency >middle.out
sentences 1001 1500 long.1 >third.1
sentences 501 1000 middle.out | cmp - third.1 && echo same
sentences 501 1000 long.1 >second.1
sentences 1 500 middle.out | cmp -s - second.1 || echo other

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
try "$VOUCH" tag -m m.vouch --consistency -c gamma test.txt
try "$VOUCH" tag -m m.vouch --consistency -c none test.txt
try "$VOUCH" eval -m m.vouch --consistency -c none test.txt
try "$VOUCH" tag -m m.vouch --consistency --raw test.txt
learn -t ner -n 2 --no-calibrate -o old.vouch train.txt
try "$VOUCH" tag -m old.vouch --consistency test.txt
printf 'a\tb\n\n' >bad.txt
cat test.txt bad.txt >cut.txt
try "$VOUCH" tag -q -m m.vouch --consistency -o cut.out cut.txt
"$VOUCH" tag -q -m m.vouch --consistency cut.txt 2>/dev/null | cmp - 1.txt && echo 'all before it is answered'
cat long.txt bad.txt | "$VOUCH" tag -q -m m.vouch --consistency -j 2 2>said | cmp - long.1 && echo 'and here'
cat said
awk 'BEGIN { for (n = 1; n <= 2001; n++) printf "%d\ta\t_\tX\tX\t_\t_\t_\t_\t_\n", n; print "" }' >tall
cat dep.test tall >tall.conll
"$VOUCH" parse -q -m dep.vouch --consistency -j 2 tall.conll 2>said | cmp - 1.conll && echo 'and here'
cat said

echo '-- lines that cannot be answered are reported'
printf '%s\n' '{"tokens": [["Ada", "NNP"]]}' '{"tokens": ["Ada"]}' '{"tokens"' '{"tokens": [["a", "DT"]]}' >lines.jsonl
"$VOUCH" tag -q -m m.vouch --consistency --on-error report lines.jsonl | sed 's/"confidence":.*//'

echo '-- as many sentences as a stretch has, one more, and none'
for count in 500 501 0; do
    sentences 1 $count long.txt | "$VOUCH" tag -q -m m.vouch --consistency -j 2 | awk '!NF { n++ } END { print n + 0 }'
done

echo '-- it has no place where there is one sentence, and is no default'
"$VOUCH" tag -m m.vouch -c all test.txt 2>&1 >/dev/null | grep -c text
"$VOUCH" tag -m m.vouch test.txt 2>&1 >/dev/null
