# A column of CoNLL-U as labels: train, eval, tag, tune, review and --apply, with the rest of the file untouched.
# Release only: slow under sanitizers, which reach the same code in other tests.
"$VOUCH" sample --kind dep --sentences 120 --seed 3 -o words.conllu 2> /dev/null

# Comments, ranges, empty nodes and MISC are there to be left alone.
awk 'BEGIN { FS = OFS = "\t" }
     $1 == "1" { print "# sent_id = " ++n; print "# conf = none of ours" }
     $1 == "1" { print "1-2", "xy", "_", "_", "_", "_", "_", "_", "_", "SpaceAfter=No" }
     NF == 10 { $10 = "Gloss=" $1 }
     { print }
     NF == 10 && $1 == "2" { print "2.1", "e", "_", "_", "_", "_", "_", "_", "0:root", "_" }
    ' words.conllu > train.conllu
head -8 train.conllu

echo '--- nobody said which column'
for command in 'train --task pos -o no.vouch' 'review --task pos' 'eval --task pos --folds 2'; do
    "$VOUCH" $command train.conllu 2>&1 && exit 1
done
for column in head misc id 11 0 noun; do
    "$VOUCH" train --task pos --column $column -o no.vouch train.conllu 2>&1 | head -n 1
done
"$VOUCH" train --task pos --column upos --gold 4 -o no.vouch train.conllu 2>&1 | head -n 1
printf 'a\tX\nb\tY\n\n' > columns.txt
"$VOUCH" train --task pos --column upos -o no.vouch columns.txt 2>&1 | head -n 1
test ! -e no.vouch

echo '--- learned from words alone'
"$VOUCH" train -q --task pos --column upos $THREADS -o upos.vouch train.conllu
"$VOUCH" dump upos.vouch | grep -c '%x\[0,[1-9]' || true
"$VOUCH" eval -m upos.vouch train.conllu 2> /dev/null | sed -n 2p
"$VOUCH" train -q --task pos --column 4 $THREADS -o number.vouch train.conllu
"$VOUCH" tag -q -m upos.vouch train.conllu > by-name.conllu
"$VOUCH" tag -q -m number.vouch train.conllu | cmp - by-name.conllu

echo '--- the answer takes the place of the cell, and nothing else changes'
sed 's/	[^	]*/	?/3' train.conllu > unknown.conllu   # UPOS is what is asked for
"$VOUCH" tag -q -m upos.vouch --confidence none $THREADS unknown.conllu > tagged.conllu
cut -f 1-3,5- tagged.conllu > tagged.rest
cut -f 1-3,5- train.conllu > train.rest
cmp tagged.rest train.rest
"$VOUCH" tag -q -m upos.vouch --alternatives 2 $THREADS unknown.conllu > judged.conllu
grep -c 'Gloss=[0-9]*|UposConf=[0-9.e-]*|UposAlt=[^|]*:[0-9.e-]*$' judged.conllu
grep -v '^# conf' judged.conllu | sed 's/|UposConf=.*//' > judged.bare
grep -v '^# conf' tagged.conllu | cmp - judged.bare
"$VOUCH" tag -q -m upos.vouch --alternatives 2 judged.conllu | cmp - judged.conllu &&
    echo 'tagging again changes nothing'

echo '--- the model knows its column'
"$VOUCH" tag -q -m upos.vouch --column xpos train.conllu 2>&1 && exit 1
"$VOUCH" tune -q -m upos.vouch -o tuned.vouch train.conllu 2> /dev/null | head -n 1 | sed 's/,.*//'
printf '%s\n' 'The cat sleeps .' | "$VOUCH" tag -q -m upos.vouch --confidence none --format plain | tr ' ' '\n' | wc -l
printf 'a NN O\nb NN B-X\n\n' > np.txt
"$VOUCH" train -q --task np --no-calibrate -o np.vouch np.txt
"$VOUCH" tag -q -m np.vouch --column upos train.conllu 2>&1 && exit 1

echo '--- review and apply'
awk 'BEGIN { FS = OFS = "\t" } NF == 10 && $1 == "3" && ++n % 40 == 0 { $4 = "X" } { print }' \
    train.conllu > wrong.conllu
"$VOUCH" review -q --task pos --column upos $THREADS --inspect all -o list.tsv wrong.conllu
awk 'BEGIN { FS = OFS = "\t" } NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
     NR > 1 && $at["given"] == "X" { $at["decision"] = "+" } { print }' list.tsv > decided.tsv
"$VOUCH" review --apply decided.tsv -q -o no.conllu wrong.conllu 2>&1 && exit 1
"$VOUCH" review --apply decided.tsv -q --column upos -o corrected.conllu wrong.conllu
grep -c "$(printf '\tX\t')" wrong.conllu
cut -f 1-3,5- corrected.conllu | cmp - train.rest
cmp corrected.conllu train.conllu && echo 'as it was'

echo '--- answers in a file are measured as the model is'
"$VOUCH" eval -q -m upos.vouch $THREADS --resamples 0 train.conllu > model.report
"$VOUCH" tag -q -m upos.vouch $THREADS train.conllu > tagged.conllu
"$VOUCH" eval -q --column upos --resamples 0 train.conllu tagged.conllu | cmp - model.report
"$VOUCH" eval -q --column 4 --resamples 0 train.conllu tagged.conllu | cmp - model.report
"$VOUCH" eval train.conllu tagged.conllu 2>&1 && exit 1
"$VOUCH" eval --column xpos train.conllu tagged.conllu 2>&1 && exit 1
"$VOUCH" eval --column head train.conllu tagged.conllu 2>&1 && exit 1
"$VOUCH" eval --column upos tagged.conllu 2>&1 && exit 1
"$VOUCH" train -q --task dep --bits 16 -n 1 $THREADS -o dep.vouch train.conllu
"$VOUCH" parse -q -m dep.vouch tagged.conllu > parsed.conllu   # after that, comments are about trees
"$VOUCH" parse -q -m dep.vouch train.conllu > alone.conllu
"$VOUCH" eval -q --resamples 0 train.conllu alone.conllu > trees.report
"$VOUCH" eval -q --resamples 0 train.conllu parsed.conllu | diff trees.report - | wc -l
"$VOUCH" eval -q --column upos --resamples 0 train.conllu parsed.conllu | diff model.report - |
    grep '^[<>] \(words\|sent\|conf\)' | cut -c1-40
