# Promises go by documents where marks divide the files: four copies of a sentence in one document count as one.
. "$CLI/common"
"$VOUCH" sample -n 200 >train.txt
"$VOUCH" sample -n 300 --first 200 --unseen-names >dev.txt
learn -t ner -n 3 -o m.vouch train.txt
awk 'BEGIN { RS = "" } { print "-DOCSTART- -X- O O\n"; for (i = 0; i < 4; i++) print $0 "\n" }' dev.txt >documents.txt
awk 'BEGIN { RS = "" } { for (i = 0; i < 4; i++) print $0 "\n" }' dev.txt >copies.txt

thresholds()
{
    "$VOUCH" tune -q -m m.vouch --coverage 0.98 -o c.vouch "$1" | awk '/^(words|chunks) / { print $1, $NF }'
}
thresholds dev.txt >alone
thresholds documents.txt >by_documents
cmp alone by_documents && echo "documents are the unit"
echo "copies without marks would be taken for sentences"
try thresholds copies.txt
"$VOUCH" tune -q -m m.vouch --coverage 0.98 -o c.vouch documents.txt
try "$VOUCH" tune -q -m m.vouch --coverage 0.999 -o none.vouch documents.txt

# vouch eval has the mean over documents as well, which is that over single sentences; labels go by documents, too.
"$VOUCH" eval -q -v --resamples 0 -m c.vouch documents.txt | sed -n '/^sets/,$p' | head -n 14
"$VOUCH" eval -q -v --resamples 0 -m c.vouch dev.txt | sed -n '/^sets/,$p' | head -n 10
"$VOUCH" eval -q --resamples 0 --json -m c.vouch documents.txt | grep 'mean_over' | head -n 4

# Bets are on documents, and the point says so.
"$VOUCH" trade -q -m m.vouch -c gamma --precision 0.75 --guarantee 0.9 -o p.vouch documents.txt | tail -n 4
"$VOUCH" dump p.vouch | grep -o '"errors_a_document":[0-9]*\|"documents":[0-9]*'
"$VOUCH" trade -q -m m.vouch -c gamma --precision 0.75 --guarantee 0.9 -o s.vouch dev.txt | tail -n 4
try "$VOUCH" trade -q -m m.vouch -c gamma --precision 0.75 --guarantee 0.9 -o s.vouch copies.txt

# Comments of CoNLL-U are marks as well; one document is none.
awk 'BEGIN { RS = "" } { print "# newdoc id = d" NR; print $0 "\n" }' >newdoc.conllu <<'END'
1	Anna	Anna	NOUN	NN	_	2	nsubj	_	_
2	sleeps	sleep	VERB	VB	_	0	root	_	_

1	Bert	Bert	NOUN	NN	_	2	nsubj	_	_
2	sleeps	sleep	VERB	VB	_	0	root	_	_
END
"$VOUCH" sample --kind dep -n 80 >train.conllu
"$VOUCH" sample --kind dep -n 60 --first 80 | awk 'BEGIN { RS = "" } { print "# newdoc"; print $0 "\n" }' >dev.conllu
learn -t dep -n 2 --bits 14 -o d.vouch train.conllu
"$VOUCH" tune -q -m d.vouch --coverage 0.9 -o e.vouch dev.conllu | head -n 1
"$VOUCH" tune -q -m d.vouch --coverage 0.5 -o e.vouch newdoc.conllu | head -n 1
