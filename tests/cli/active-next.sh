# Which sentences to label next: least sure first, none that is labelled, none twice.
. "$CLI/common"
"$VOUCH" sample -n 150 >train.txt
"$VOUCH" sample -n 40 --first 150 --unseen-names >new.txt
learn -t ner -a cw+crf -n 3 -o m.vouch train.txt
next()
{
    "$VOUCH" active next -m m.vouch $THREADS "$@"
}

# By what the model prefers; the pool is what it learned from, some sentences of it again, and new ones.
{ cat train.txt; echo; cat new.txt; echo '-DOCSTART- -X- O O'; echo; cat new.txt; } >pool.txt
next --pool pool.txt -n 2 2>&1 # the model remembers what it learned from
next -q --pool pool.txt -n 2 >remembered.txt
next -q --pool pool.txt -n 2 train.txt | cmp - remembered.txt && echo 'and need not be told'

# With labels to correct, of which the model's are the last.
next -q --pool pool.txt -n 2 train.txt --predict >predicted.txt
next -q --pool pool.txt -n 2 train.txt | paste -d ' ' - predicted.txt | awk 'NF { exit !($1 == $5 && $4 == $8) }' &&
    echo 'the same sentences'
awk 'NF { print NF }' predicted.txt | uniq
"$VOUCH" tag -q -m m.vouch --confidence none new.txt >tagged.txt
grep -v '^$' predicted.txt | grep -c -x -F -f tagged.txt

# All that are left, each once; then nothing.
next --pool pool.txt -n 1000 train.txt -o all.txt 2>&1
grep -c '^$' all.txt
next --pool pool.txt -n 1000 train.txt all.txt 2>&1
# A part of many is the beginning of the whole; so it is by all methods.
for by in committee kd-fix kd-fix/mean kd-fix/bald kd-pc delta gamma@crf gamma/mean random; do
    next -q --pool pool.txt -n 1000 -c $by train.txt >all.txt
    next -q --pool pool.txt -n 7 -c $by train.txt >some.txt
    head -n "$(grep -c '' some.txt)" all.txt | cmp - some.txt
    echo "$by $(grep -c '^$' all.txt) $(head -n 1 some.txt)"
done
next -q --pool pool.txt -n 1000 -c random --seed 2 train.txt | cmp -s - all.txt || echo 'another seed'

# A sentence that is much like one before is passed over.
next --pool pool.txt -n 1000 -c delta --diversity 0.2 train.txt 2>&1 >all.txt
next -q --pool pool.txt -n 1000 -c delta --diversity 1 train.txt | cksum
next -q --pool pool.txt -n 1000 -c delta train.txt | cksum

# From a pipe, and compressed.
next -q --pool pool.txt -n 2 train.txt >one.txt
gzip -c pool.txt | next -q --pool - -n 2 train.txt | cmp - one.txt
