# What review refuses, before any work.
. "$CLI/tree_common"
corpus
"$VOUCH" train --no-calibrate -t ner -a perceptron -n 1 -q -o m.vouch train.txt
try "$VOUCH" review
try "$VOUCH" review test.txt
try "$VOUCH" review -m m.vouch -t ner test.txt
try "$VOUCH" review -t ner -
try "$VOUCH" review -t ner .
try "$VOUCH" review -t names test.txt
for inspect in none 0 -1 1.5 101% 5%% 1e; do
    try "$VOUCH" review -t ner --inspect $inspect test.txt
done
try "$VOUCH" review -t ner --level paragraph test.txt
try "$VOUCH" review -t ner --as csv test.txt
try "$VOUCH" review -t ner --folds 1 test.txt
try "$VOUCH" review -t ner --multi-root skip test.txt
try "$VOUCH" review -m missing test.txt
for option in --folds=5 --passes=3 --algorithm=cw --template=none --unlabelled; do
    try "$VOUCH" review -m m.vouch $option test.txt
done
for option in --level=word --inspect=1% --as=tsv --folds=5 --seed=1 --passes=3; do
    try "$VOUCH" review --apply list.tsv $option test.txt
done
try "$VOUCH" review -t ner missing
try "$VOUCH" review -t ner -o test.txt test.txt
try "$VOUCH" review -t ner -o missing/list.tsv test.txt
: >empty
try "$VOUCH" review -t ner empty
head -n 40 test.txt >short.txt
try "$VOUCH" review -t ner short.txt
"$VOUCH" sample --kind pos -n 50 >pos.txt
try "$VOUCH" review -t pos --level chunk pos.txt
"$VOUCH" sample --kind dep -n 50 >trees.conllu
try "$VOUCH" review -t dep --unlabelled --level chunk trees.conllu
try "$VOUCH" review -m m.vouch trees.conllu
ls
