# Text that a model learned from, or that its confidence was tuned on, proves nothing of other text, and text that is
# given twice proves no more than once: whatever a file is called, and however it is written.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/common"
VOUCH_SAID='sed s/^vouch.[a-z]*:.//'
corpus
"$VOUCH" sample --kind ner -n 400 --first 1000 --unseen-names >other.txt
learn -t ner -n 2 -o plain.vouch train.txt

# Other spellings of a file.
spell()
{
    mkdir -p dir
    cp "$1.txt" "dir/again.txt"
    gzip -c "$1.txt" >"$1.gz"
    sed 's/$/\r/' "$1.txt" >crlf.txt
    awk 'NF { print $1, "X", $NF; next } { print "" }' "$1.txt" >tags.txt
    spelled="$1.txt ./$1.txt dir/again.txt $1.gz crlf.txt tags.txt"
}

# guarantee MODEL FILE...: prints what both kinds of guarantees say.
guarantee()
{
    model=$1
    shift
    for ask in "trade --precision 0.5 --guarantee 0.5" "tune --coverage 0.5"; do
        status=0
        "$VOUCH" $ask -q -m "$model" -o found.vouch "$@" >/dev/null 2>said || status=$?
        printf '%s: %s %s\n' "${ask%% *}" "$status" "$($VOUCH_SAID said)"
    done
}

echo "== tuned on test.txt"
"$VOUCH" tune -q -m plain.vouch -o tuned.vouch --grid quick test.txt >/dev/null 2>&1
spell test
for file in $spelled other.txt; do
    echo "$file"
    guarantee tuned.vouch "$file"
done
echo "== calibrated on a development file while it was trained"
"$VOUCH" train -q -t ner -n 2 --dev test.txt -o dev.vouch train.txt 2>/dev/null
guarantee dev.vouch dir/again.txt
guarantee dev.vouch other.txt
echo "== tuned anew: on other text"
"$VOUCH" tune -q -m tuned.vouch -o anew.vouch --grid quick other.txt >/dev/null 2>&1
guarantee anew.vouch test.gz
guarantee anew.vouch other.txt
echo "== a file of the same name, with other text in it"
cp other.txt dir/test.txt
(cd dir && guarantee ../tuned.vouch test.txt)
echo "== a model from before sentences were kept"
"$VOUCH" dump tuned.vouch | sed '2s/"sentences":"[0-9a-f]*",//' | "$VOUCH" load -o old.vouch
guarantee old.vouch test.txt
guarantee old.vouch other.txt
echo "== a header that makes no sense"
"$VOUCH" dump tuned.vouch | sed '2s/"sentences":"[0-9a-f]*"/"sentences":"0123456"/' | "$VOUCH" load -o bad.vouch
guarantee bad.vouch other.txt
echo "== a judge of another program's scores"
printf '%s\n' O B-PER I-PER B-LOC I-LOC B-ORG I-ORG B-MISC I-MISC >labels.txt
for file in test other; do
    awk 'BEGIN { srand(1); while ((getline line < "labels.txt") > 0) label[Y++] = line }
         NF { row = ""; for (y = 0; y < Y; y++)
                  row = row (y ? ", " : "") sprintf("%.3f", 2 * rand() + 3 * ($NF == label[y]) * (rand() < .9))
              all = all (all ? ", " : "") "[" row "]" }
         !NF && all { print "{\"scores\": [" all "]}"; all = "" }' $file.txt >$file.jsonl
done
"$VOUCH" judge -q --scores test.jsonl --labels labels.txt --gold test.txt -o judge.vouch >/dev/null 2>&1
guarantee judge.vouch --scores test.jsonl dir/again.txt
guarantee judge.vouch --scores test.jsonl crlf.txt
guarantee judge.vouch --scores other.jsonl other.txt
echo "== measuring goes on, with a warning"
for file in test.txt dir/again.txt other.txt; do
    "$VOUCH" eval -m tuned.vouch $file 2>&1 >/dev/null | grep -e warning: || echo "no warning"
done
"$VOUCH" trade -m tuned.vouch crlf.txt 2>&1 >/dev/null | grep -e warning:

echo "== the same text twice"
split=$(grep -n '^$' other.txt | sed -n 200p)
head -n "${split%%:*}" other.txt >half.txt
tail -n +"$((${split%%:*} + 1))" other.txt >rest.txt
cp half.txt copy.txt
cat half.txt half.txt >twice.txt
for files in "half.txt half.txt" "half.txt copy.txt" "rest.txt half.txt copy.txt" twice.txt "half.txt rest.txt"; do
    echo "$files"
    guarantee plain.vouch $files
    for command in "eval -m plain.vouch" "trade -m plain.vouch --precision 0.5 -o found.vouch" \
        "review -m plain.vouch --audit 10" "tune -m plain.vouch --grid quick -o found.vouch"; do
        "$VOUCH" $command $files 2>&1 >/dev/null | grep -e warning: -e read.before | sort -u || true
    done
done
