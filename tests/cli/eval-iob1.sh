# IOB1: a chunk starts with I-, and with B- where it touches one of its own type.
cat >labelled <<'END'
a I-PER I-PER
b I-PER I-PER
c B-PER I-PER
d I-LOC I-LOC
e O O
f I-LOC B-LOC

g I-LOC I-LOC
END
"$VOUCH" eval labelled 2>&1
