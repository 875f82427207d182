# Parsing in two stages: the same bytes whatever the threads, in a file, a dump and a model that goes on; known heads
# need not be likely ones; what cannot have two stages is refused.
. "$CLI/tree_common"
treebank
"$VOUCH" sample --kind dep -n 150 --first 300 >new.conllu
"$VOUCH" train -t dep --bits 16 -n 3 -q --stages 2 -o m.vouch train.conllu
"$VOUCH" train -t dep --bits 16 -n 3 -q --stages 2 -j 2 -o 2.vouch train.conllu
cmp m.vouch 2.vouch
"$VOUCH" info m.vouch | grep -E '^(features|voice)'
"$VOUCH" eval -q -m m.vouch test.conllu | grep -E '^UAS|^LAS |one root'
"$VOUCH" parse -q -m m.vouch -c all test.conllu >one
"$VOUCH" parse -q -m m.vouch -c all -j 3 test.conllu | cmp - one
"$VOUCH" dump m.vouch >dump
grep -c '^block.first' dump | sed 's/[0-9][0-9]*/some/'
"$VOUCH" load -o loaded.vouch dump
cmp m.vouch loaded.vouch
"$VOUCH" tune -q -m m.vouch -o tuned.vouch test.conllu >told
"$VOUCH" info tuned.vouch | grep -c first

echo "== going on: the first stage stays as it is"
"$VOUCH" train --from m.vouch -q -n 2 -o on.vouch new.conllu
"$VOUCH" train --from m.vouch -q -n 2 -j 2 -o 2.vouch new.conllu
cmp on.vouch 2.vouch
"$VOUCH" dump on.vouch >on
grep -A 1 '^block.first' dump >old-first
grep -A 1 '^block.first' on | cmp - old-first
"$VOUCH" eval -q -m on.vouch -c none test.conllu | grep '^UAS'

echo "== shards, a development set, a checkpoint, open heads"
train_small -q --stages 2 --shards 3 -o 1.vouch train.conllu
train_small -q --stages 2 --shards 3 -j 2 --checkpoint kept -o 2.vouch train.conllu
cmp 1.vouch 2.vouch
train_small --stages 2 --dev test.conllu -o dev.vouch train.conllu 2>&1 | grep -c 'crf first.*dev accuracy'
awk 'BEGIN { FS = OFS = "\t" } NF == 10 && NR % 4 == 0 { $7 = $8 = "_" } { print }' train.conllu >part.conllu
train_small -q --partial --stages 2 -o part.vouch part.conllu
"$VOUCH" eval -q -m part.vouch -c none test.conllu | grep -c 'one root'
"$VOUCH" train -t dep --bits 16 -n 2 -q --stages 2 --unlabelled -o heads.vouch train.conllu
"$VOUCH" info heads.vouch | grep '^voice'
echo "too few sentences for two:"
"$VOUCH" sample --kind dep -n 20 >few.conllu
train_small -q --stages 2 -o few.vouch few.conllu
"$VOUCH" info few.vouch | grep '^voice'

echo "== refused"
"$VOUCH" sample -n 50 >train.txt
"$VOUCH" train -t ner --stages 2 -o 1.vouch train.txt 2>&1 || true
"$VOUCH" train -t dep -a cw --stages 2 -o 1.vouch train.conllu 2>&1 || true
"$VOUCH" train --from m.vouch --stages 1 -o 1.vouch train.conllu 2>&1 || true
sed 's/"arc_features":2/"arc_features":1/' dump >older
"$VOUCH" load -o 1.vouch older 2>&1 || true
sed 's/^block.first.*/block	first	99999999/' dump >wrong
"$VOUCH" load -o 1.vouch wrong 2>&1 | cut -c 1-90 || true
