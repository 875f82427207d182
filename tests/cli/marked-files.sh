# A file without document marks beside one that has them counts as one document, and the program says so.
. "$CLI/common"
corpus
learn -t ner -n 2 -o m.vouch train.txt
"$VOUCH" sample --kind ner -n 120 --first 1000 --unseen-names >text.txt
awk 'BEGIN { RS = ""; ORS = "\n\n" } NR % 4 == 1 { print "-DOCSTART- X O O" } { print }' text.txt >marked.txt
awk 'BEGIN { RS = ""; ORS = "\n\n" } { print } NR % 4 == 0 { print "-DOCSTART- X O O" }' test.txt >behind.txt
for files in "marked.txt" "test.txt" "marked.txt behind.txt" "marked.txt test.txt" "test.txt marked.txt"; do
    echo "$files"
    for ask in "trade --precision 0.5 -o found.vouch" "tune --coverage 0.5 -o found.vouch" "trade"; do
        "$VOUCH" $ask -m m.vouch $files >/dev/null 2>said || cat said
        sed -n "/^warning: /s/^/${ask%% *}: /p" said
    done
done
