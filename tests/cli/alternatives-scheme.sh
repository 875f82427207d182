# Alternatives are labels of the corpus, each at most once, whatever scheme they were learned in; so is gamma's number.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/common"
corpus
iob1()
{
    awk 'NF { split($NF, l, "-"); start = l[1] == "B" && type == l[2]; type = l[2] }
         NF && $NF != "O" { $NF = (start ? "B-" : "I-") l[2] }
         !NF { type = "" } { print }' "$1"
}
iob1 train.txt > train.iob1
iob1 test.txt > test.iob1
cp train.txt train.iob2
cp test.txt test.iob2
for scheme in iob1 iob2; do
    "$VOUCH" train -q --task ner --learn-as bioes $THREADS -o $scheme.vouch train.$scheme
    awk 'NF { print $NF }' train.$scheme | sort -u > labels.$scheme
    for method in 'gamma --raw' gamma committee kd-fix 'kd-fix --raw'; do
        "$VOUCH" tag -q -m $scheme.vouch -c $method --alternatives 50 $THREADS test.$scheme > tagged
        awk -v labels=labels.$scheme -v scheme=$scheme -v method="$method" '
            function fault(what) { if (!faults++) print "line " NR ": " what ": " $0 }
            BEGIN { while ((getline label < labels) > 0) known[label] = 1 }
            NF {
                n = split($NF, list, "|"); sum = own = 0; split("", seen)
                for (i = 1; i <= n; i++) {
                    label = probability = list[i]; sub(/:[^:]*$/, "", label); sub(/.*:/, "", probability)
                    if (!(label in known) && !(scheme == "iob1" && label ~ /^B-/))
                        fault("no label of the corpus, " label)
                    if (label in seen) fault("twice " label)
                    if (scheme == "iob1" && label ~ /^B-/ && before !~ "-" substr(label, 3) "$") fault("needless B-")
                    seen[label] = 1; sum += probability; several += i > 1
                    if (label == $(NF - 2)) own = probability
                }
                if (sum > 1.00001) fault("sum " sum)
                if (own - $(NF - 1) > 1e-5 || $(NF - 1) - own > 1e-5) fault("the answer has " own)
                before = $(NF - 2)
            }
            !NF { before = "O" }
            END { print scheme, method ": " (faults + 0) " faults in " \
                        (several > 100 ? "many" : "too few") " alternatives" }' tagged
    done
done
