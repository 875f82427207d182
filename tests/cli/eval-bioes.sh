# BIOES: four chunks in both, of which one differs in type.
cat >labelled <<'END'
a B-PER B-PER
b I-PER I-PER
c E-PER E-PER
d S-LOC S-ORG
e S-LOC S-LOC
f O O
g S-PER S-PER
END
"$VOUCH" eval labelled 2>&1
echo "the same chunks in IOB2:"
sed 's/E-/I-/g; s/S-/B-/g' labelled | "$VOUCH" eval -q
