# What confidence is worth, on a test file: methods compared, or briefly the one that the model prefers.
. "$CLI/common"
corpus
learn -t ner -a cw+crf -n 2 -o m.vouch train.txt
echo "by name:"
"$VOUCH" eval -q -m m.vouch -c kd-fix,delta,gamma@crf,random $THREADS test.txt
echo "raw, without intervals:"
"$VOUCH" eval -q -m m.vouch -c delta,gamma --raw --resamples 0 $THREADS test.txt | sed -n '/^words/,/^$/p'
echo "all of them:"
"$VOUCH" eval -q -m m.vouch -c all --resamples 0 $THREADS test.txt | sed -n '/^spans/,/^as a/p' | cut -d ' ' -f 1
echo "what the model prefers:"
"$VOUCH" eval -m m.vouch $THREADS test.txt
echo "none:"
"$VOUCH" eval -m m.vouch -c none $THREADS test.txt
echo "two files count as one, and document marks do not:"
{ cat test.txt; printf -- '-DOCSTART- -X- O O\n\n'; cat train.txt; } >both.txt
"$VOUCH" eval -m m.vouch $THREADS both.txt >both
"$VOUCH" eval -m m.vouch $THREADS test.txt train.txt | cmp - both
echo "means over seeds of draws:"
"$VOUCH" eval -q --json -m m.vouch -c kd-fix,delta --raw --resamples 10 --seeds 3 $THREADS test.txt >seeds
sed -n '/"by_seed"/,/\]/p' seeds
"$VOUCH" eval -q --json -m m.vouch -c kd-fix --raw --resamples 0 $THREADS test.txt | grep -m 1 '"average_precision"'
echo "right labels by sentence:"
"$VOUCH" eval -q --json --by-sentence -m m.vouch -c none $THREADS test.txt | sed -n '/right_by/,/\]/p' | head -n 4
"$VOUCH" eval -q --by-sentence -m m.vouch test.txt 2>&1 || echo "exit $?"
"$VOUCH" eval -q --seeds 2 -m m.vouch -c kd-fix <test.txt 2>&1 || echo "exit $?"
"$VOUCH" eval -q --seeds 2 test.txt 2>&1 || echo "exit $?"
