# Gold in another scheme than that of the answers is no error: a model's answers, and answers in files.
. "$CLI/common"
iob1()
{
    awk 'NF { type = substr($NF, 3); if ($NF ~ /^B/ && type != last) sub(/B-[A-Z]*$/, "I-" type) }
         { last = NF ? type : ""; type = ""; print }'
}
bioes()
{
    awk 'function out() { if (!held) return
                          if (here != "O" && $NF !~ /^I-/) here = (here ~ /^B/ ? "S" : "E") substr(here, 2)
                          print line, here }
         { out(); held = NF; here = $NF; line = $1; for (i = 2; i < NF; i++) line = line " " $i }
         !NF { print "" } END { $0 = ""; out() }'
}
corpus
iob1 <test.txt >test.iob1
bioes <test.txt >test.bioes
for file in txt iob1 bioes; do
    cut -d ' ' -f 4 test.$file | sort | uniq -c | awk '{ printf "%s %s, ", $1, $2 } END { print "" }'
done
learn -t ner -n 3 --learn-as bioes -o ner.vouch train.txt   # never I- after O
"$VOUCH" tag -q -m ner.vouch test.txt >answers.txt
"$VOUCH" eval -q -m ner.vouch --resamples 0 test.txt >model.report
"$VOUCH" eval -q --resamples 0 test.txt answers.txt >file.report
"$VOUCH" tune -q -m ner.vouch --grid quick -o tuned.vouch test.txt | tee tune.report | head -n 1
"$VOUCH" review -q -m ner.vouch --inspect 20 test.txt | cut -f 3,4,10- >review.report
for scheme in iob1 bioes; do
    echo "$scheme:"
    "$VOUCH" eval -q -m ner.vouch $THREADS --resamples 0 test.$scheme | cmp - model.report
    "$VOUCH" eval -q --resamples 0 test.$scheme answers.txt | cmp - file.report
    "$VOUCH" tune -q -m ner.vouch --grid quick -o tuned.vouch test.$scheme | cmp - tune.report
    "$VOUCH" review -q -m ner.vouch --inspect 20 test.$scheme | cut -f 3,4,10- | cmp - review.report
done
"$VOUCH" eval -q test.bioes test.iob1 | sed -n 2p
