# Compressed input is read as if it were not; what it is shows by itself, not by its name.
. "$CLI/common"
corpus
learn -t ner -n 2 --no-calibrate -o m.vouch train.txt
"$VOUCH" tag -m m.vouch test.txt >labelled.txt
for tool in gzip xz zstd bzip2; do
    command -v $tool >/dev/null || continue
    $tool -c <test.txt >test.packed
    "$VOUCH" tag -m m.vouch $THREADS test.packed | cmp - labelled.txt
    "$VOUCH" tag -m m.vouch $THREADS <test.packed | cmp - labelled.txt
done
gzip -c <test.txt | head -c 2000 >cut.gz
try "$VOUCH" tag -m m.vouch -o out cut.gz
ls -A
