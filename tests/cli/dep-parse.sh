# What is no word is carried through: comments, ranges, empty nodes, and all columns but HEAD and DEPREL.
. "$CLI/tree_common"
treebank
train_small -q -o m.vouch train.conllu
cat >in.conllu <<'END'
# sent_id = 1
# text = Ada del Toro left .
1	Ada	Ada	PROPN	NNP	Number=Sing	_	_	_	Entity=1
2-3	del	_	_	_	_	_	_	_	SpaceAfter=No
2	de	de	ADP	IN	_	_	_	_	_
3	el	el	DET	DT	_	_	_	_	_
4	Toro	Toro	PROPN	NNP	Number=Sing	_	_	4:flat	_
4.1	has	have	AUX	VBZ	_	_	_	5:aux	_
5	left	leave	VERB	VBD	Tense=Past	_	_	_	_
6	.	.	PUNCT	.	_	_	_	_	_


# a comment after two blank lines
1	Yes	yes	INTJ	UH	_	0	wrong	_	_

# the end
END
"$VOUCH" parse $THREADS -m m.vouch in.conllu >out.conllu
cat out.conllu
echo "the same but for HEAD and DEPREL:"
cut -f 1-6,9- in.conllu >in
cut -f 1-6,9- out.conllu | cmp - in
"$VOUCH" parse $THREADS -m m.vouch <in.conllu | cmp - out.conllu
"$VOUCH" parse $THREADS -m m.vouch -o named in.conllu
cmp named out.conllu
gzip -c in.conllu >in.gz
"$VOUCH" parse $THREADS -m m.vouch in.gz | cmp - out.conllu

echo "what is parsed can be parsed again:"
"$VOUCH" parse -m m.vouch test.conllu >once
"$VOUCH" parse -m m.vouch once | cmp - once
"$VOUCH" eval -m m.vouch once | sed -n '/^UAS/p; /^LAS /p'

echo "JSON lines:"
printf '{"tokens": [["Ada", "Ada", "PROPN", "NNP"], ["left", "leave", "VERB", "VBD"]], "id": 7}\n' |
    "$VOUCH" parse $THREADS -m m.vouch
