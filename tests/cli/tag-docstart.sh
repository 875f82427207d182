# Document marks and comments are carried through; a mark is labelled O and never scored.
. "$CLI/common"
corpus
learn -t ner -n 3 --no-calibrate -o m.vouch train.txt
cat >in.txt <<'END'
# a corpus
-DOCSTART- -X- O O

# sentence 1
Mrs NNP I-NP O
Falinon NNP I-NP B-PER
left VBD B-VP O
# # I-NP O

-DOCSTART- -X- O O
Paris NNP B-NP B-LOC
. . O O

# the end
END
"$VOUCH" tag -m m.vouch $THREADS in.txt
"$VOUCH" eval -m m.vouch $THREADS in.txt 2>&1
learn -t ner -n 1 --no-calibrate -o a.vouch in.txt
"$VOUCH" info a.vouch | grep -o 'trained on[^,]*,[^,]*'
