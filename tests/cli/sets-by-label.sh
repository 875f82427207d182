# Sets by label say what they guarantee: of words and chunks, of words alone, of relations; and say so if labels are too
# rare for thresholds of their own.
. "$CLI/common"
corpus
learn -t ner -n 2 -o ner.vouch train.txt
"$VOUCH" sample --kind ner -n 400 --first 1000 --unseen-names >dev.txt
awk 'BEGIN { RS = ""; ORS = "\n\n" } NR % 20 == 1 { print "-DOCSTART- -X- O O" } { print }' dev.txt >documents.txt
corpus pos
learn -t pos -n 2 -o pos.vouch train.txt
"$VOUCH" sample --kind pos -n 400 --first 1000 --unseen-names >pos.txt
"$VOUCH" sample --kind dep -n 80 >train.conllu
"$VOUCH" sample --kind dep -n 120 --first 80 >dev.conllu
learn -t dep -n 2 --bits 14 -o dep.vouch train.conllu
learn -t dep --unlabelled -n 2 --bits 14 -o heads.vouch train.conllu
for ask in "ner dev.txt" "pos pos.txt" "dep dev.conllu" "heads dev.conllu" "ner documents.txt"; do
    for by in "" "--by label"; do
        echo "== $ask $by"
        "$VOUCH" tune -m "${ask% *}.vouch" --coverage 0.9 $by -o found.vouch "${ask#* }" 2>said | tail -n 1
        grep warning: said || true
    done
done
"$VOUCH" tune -q -m pos.vouch --coverage 0.9 --by label --json -o found.vouch pos.txt | grep assumes
