# Treebanks that are none, and models for something else: file, line and what was expected.
. "$CLI/tree_common"
treebank
corpus
train_small -q -n 1 -o dep.vouch train.conllu
"$VOUCH" train --no-calibrate -t ner -n 1 -q -o ner.vouch train.txt
word='%d\tw\t_\tX\t_\t_\t%s\tdep\t_\t_\n'
check()
{
    echo "$1:"
    try train_small -q -o m.vouch bad
}
printf "# comment\n$word$word$word\n" 1 2 2 1 3 0 >bad; check "a cycle"
printf "$word\n$word$word$word\n" 1 0 1 0 2 1 3 9 >bad; check "a head that is not there"
printf "$word$word\n" 1 0 2 2 >bad; check "its own head"
printf "$word$word\n" 1 0 2 x >bad; check "a head that is no number"
printf "$word$word\n" 1 0 2 _ >bad; check "a head missing"
printf "$word$word\n" 1 0 3 1 >bad; check "a word missing"
printf "$word" 1 0 >bad; printf '2\tw\t_\tX\n' >>bad; check "too few columns"
printf "$word\n" 1 0 | sed 's/_/ /' | tr ' ' '\t' >bad; check "too many columns"
printf "$word\n" 1 0 | sed 's/dep//' >bad; check "an empty column"
printf "1-3\tw\t_\t_\t_\t_\t_\t_\t_\t_\n$word\n" 1 0 >bad; check "a range beyond the end"
printf "$word\n" 1 _ >bad; check "no heads"
: >bad; check "empty"
check_other()
{
    echo "$1:"
    shift
    try "$VOUCH" "$@"
}
check_other "columns of labels" train --no-calibrate -q --task dep -o m.vouch train.txt
check_other "parse: a model that labels" parse -m ner.vouch test.conllu
check_other "tag: a model that parses" tag -m dep.vouch test.txt
check_other "eval: columns for a model that parses" eval -m dep.vouch test.txt
check_other "eval: empty" eval -m dep.vouch bad
printf "$word\n" 1 _ >bad
check_other "eval: no heads" eval -m dep.vouch bad
check_other "parse: no model" parse test.conllu
check_other "parse: two files" parse -m dep.vouch test.conllu test.conllu
check_other "parse: missing" parse -m dep.vouch missing
check_other "--features" train --no-calibrate --task dep --features ner -o m.vouch train.conllu
check_other "--bits" train --no-calibrate --task dep --bits 9 -o m.vouch train.conllu
check_other "--draw" parse --draw nicely -m dep.vouch test.conllu
printf "$word\n" 1 _ >bad; printf 'rubbish\n' >>bad
check_other "parse: rubbish after a sentence" parse -m dep.vouch bad
ls -A
