# Sets of choices that hold the right one: found by tune --coverage, written by tag --sets in every format.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/common"
"$VOUCH" sample -n 200 >train.txt
"$VOUCH" sample -n 200 --first 200 --unseen-names >dev.txt
"$VOUCH" sample -n 60 --first 500 --unseen-names >test.txt
learn -t ner -n 3 -o m.vouch train.txt
"$VOUCH" tune -m m.vouch $THREADS --coverage 0.98 -o c.vouch dev.txt
"$VOUCH" tune -q -m m.vouch $THREADS --coverage 0.98 --json -o j.vouch dev.txt
"$VOUCH" info c.vouch | grep -A 1 coverage
"$VOUCH" info --json c.vouch | sed -n '/"coverage": {/,/^  }/p'

# Columns: behind the numbers and alternatives, before flags; of chunks at their first words.
"$VOUCH" tag -q -m c.vouch $THREADS --sets test.txt >columns
head -n 40 columns
"$VOUCH" tag -q -m c.vouch --sets --alternatives 2 --threshold 0.9 test.txt | sed -n 3,8p
"$VOUCH" tag -q -m c.vouch test.txt >plain
cut -d ' ' -f 1-6 columns | cmp - plain
"$VOUCH" eval -q columns >of_columns
"$VOUCH" eval -q plain | cmp - of_columns

# The answer is in every set, and likelier labels come first.
awk 'NF { set = substr($7, 2, length($7) - 2); n = split(set, label, "|"); found = 0
          for (i = 1; i <= n; i++) found += label[i] == $5
          if (found != 1) print "answer", $5, "not in", $7 }' columns

# Other formats.
for file in train dev; do
    cut -d ' ' -f 1,4 $file.txt >narrow.$file
done
learn -t ner -n 3 -o w.vouch narrow.train
"$VOUCH" tune -q -m w.vouch --in-place --coverage 0.95 narrow.dev >table
printf 'Mrs Falinon left Washington .\n-DOCSTART-\n' | "$VOUCH" tag -q -m w.vouch --sets --format plain
cat >in.jsonl <<'END'
{"tokens": [["Mrs", "NNP"], ["Falinon", "NNP"], ["left", "VBD"], ["Washington", "NNP"], [".", "."]]}
{"tokens": []}
{"tokens": [["-DOCSTART-", "X"]]}
END
"$VOUCH" tag -q -m c.vouch $THREADS --sets in.jsonl
"$VOUCH" tag -q -m c.vouch --sets in.jsonl | "$VOUCH" tag -q -m c.vouch --sets | cut -c 1-250 | head -n 1
printf -- '-DOCSTART- -X- O O\n\nMira NNP B-NP O\nleft VBD B-VP O\n' | "$VOUCH" tag -q -m c.vouch --sets

# How often they hold it, and how large they are.
"$VOUCH" eval -q --resamples 0 -m c.vouch $THREADS test.txt | sed -n '/^sets/,$p'
"$VOUCH" eval -q --resamples 0 --json -m c.vouch $THREADS test.txt | sed -n '/"sets"/,$p' |
    sed '/"by_label"/,/^      }/d'
"$VOUCH" eval -q --resamples 0 -c delta -m c.vouch test.txt | grep -c ^sets || true

# Trees: sets of heads. Parts of speech: sets of labels, in CoNLL-U.
"$VOUCH" sample --kind dep -n 80 >train.conllu
"$VOUCH" sample --kind dep -n 60 --first 80 >dev.conllu
learn -t dep -n 2 --bits 14 -o d.vouch train.conllu
"$VOUCH" tune -q -m d.vouch --in-place $THREADS --coverage 0.95 dev.conllu
"$VOUCH" parse -q -m d.vouch $THREADS --sets dev.conllu | head -n 12 | tail -n 8
"$VOUCH" parse -q -m d.vouch --sets dev.conllu | "$VOUCH" parse -q -m d.vouch --sets | head -n 6 | tail -n 2
"$VOUCH" eval -q --resamples 0 -m d.vouch dev.conllu | sed -n '/^sets/,$p'
echo '{"tokens": [["Anna", "NNP"], ["sleeps", "VBZ"]]}' >in.jsonl
"$VOUCH" parse -q -m d.vouch --sets --format jsonl in.jsonl
learn -t pos -n 2 --column upos -o p.vouch train.conllu
"$VOUCH" tune -q -m p.vouch --in-place --column upos --coverage 0.95 dev.conllu
"$VOUCH" tag -q -m p.vouch --sets dev.conllu | head -n 8 | tail -n 3
"$VOUCH" eval -q --resamples 0 -m p.vouch dev.conllu | sed -n '/^sets/,$p'

# What is refused.
try "$VOUCH" tag -m m.vouch --sets test.txt
try "$VOUCH" tag -m c.vouch --sets -c none test.txt
try "$VOUCH" tag -m c.vouch --sets -c delta,gamma test.txt
try "$VOUCH" tag -m c.vouch --sets --raw test.txt
try "$VOUCH" tag -m c.vouch --sets --draws 20 test.txt
try "$VOUCH" tune -m m.vouch --coverage 1 dev.txt
try "$VOUCH" tune -m m.vouch --coverage 0.9 --grid quick dev.txt
try "$VOUCH" tune -q -m m.vouch --coverage 0.9999 -o none.vouch dev.txt
[ ! -e none.vouch ] || echo "written all the same"
learn -t ner -n 1 --no-calibrate -o raw.vouch train.txt
try "$VOUCH" tune -m raw.vouch --coverage 0.9 dev.txt
"$VOUCH" dump c.vouch | sed 's/"words":0\.[0-9e-]*/"words":7/' | "$VOUCH" load -o damaged.vouch
try "$VOUCH" tag -q -m damaged.vouch --sets test.txt
try "$VOUCH" eval -q -m damaged.vouch test.txt
"$VOUCH" tag -q -m damaged.vouch test.txt | cmp - plain

# Other probabilities need other thresholds; and what was tuned on a file is not calibrated on it again.
"$VOUCH" tune -m c.vouch --in-place --grid quick dev.txt 2>&1 >table | sed 's/, [0-9.]* s$//'
try "$VOUCH" tune -q -m c.vouch --coverage 0.98 dev.txt
try "$VOUCH" tag -q -m c.vouch --sets test.txt
