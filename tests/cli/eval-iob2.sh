# Gold and guess in the last two columns, IOB2: a chunk counts if its borders and its type are right.
cat >labelled <<'END'
a x B-PER B-PER
b x I-PER I-PER
c x O O
d x B-LOC B-ORG
e x B-LOC B-LOC

f x B-PER B-PER
g x I-PER B-PER
h x O B-LOC
END
"$VOUCH" eval labelled 2>&1
"$VOUCH" eval -q <labelled
