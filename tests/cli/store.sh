# A store: documents go in and come out byte for byte, decisions change labels alone; checks, copies, wrong files.
. "$CLI/common"
"$VOUCH" sample -n 8 >corpus.txt
printf -- '-DOCSTART- -X- O O\r\n\r\n' | cat - corpus.txt >marked.txt
"$VOUCH" store add s.sqlite corpus.txt marked.txt
"$VOUCH" store add s.sqlite corpus.txt
"$VOUCH" store check s.sqlite
for name in corpus.txt marked.txt; do
    "$VOUCH" store export s.sqlite --document $name | cmp - $name && echo "$name: the same bytes"
done

# Two annotators; what they changed, and nothing else, differs.
awk 'NF && NR % 9 == 0 { $NF = "X" } { print }' corpus.txt >ann.txt
awk 'NF && NR % 18 == 0 { $NF = "X" } { print }' corpus.txt >ben.txt
"$VOUCH" store add s.sqlite --document corpus.txt --annotator ann ann.txt
"$VOUCH" store add s.sqlite --document corpus.txt --annotator ben ben.txt
"$VOUCH" store check s.sqlite
"$VOUCH" store check s.sqlite --json | tr -d '\n '
echo
out() { "$VOUCH" store export s.sqlite --document corpus.txt "$@"; }
out --annotator ann | cmp - ann.txt && echo 'as ann has it'
out | cmp - ben.txt && echo 'the latest'
out --merge agreed | cmp - ben.txt && echo 'both agree where ben has X'
out --states | grep '^#' | sort | uniq -c | sed 's/^ *//'
out --states -o states.txt && grep -v '^#' states.txt | cmp - ben.txt

# Decisions about some words of a corpus in IOB1: what is exported is what train --partial learns from.
printf 'a I-X\na B-X\nb O\na I-X\n\nb O\na I-X\nb O\n\n' >iob1.txt
printf 'a I-X\na B-X\nb ?\na I-X\n\nb _\na _\nb _\n\n' >some.txt
"$VOUCH" store add parts.sqlite iob1.txt
"$VOUCH" store add parts.sqlite --annotator ann some.txt
"$VOUCH" store export parts.sqlite --decided --open '?' | tee parts.txt
"$VOUCH" train --task ner --partial --no-calibrate -n 1 -o parts.vouch parts.txt iob1.txt 2>&1 | sed -n 1,2p

# Copies can be made of a store that is in use.
"$VOUCH" store vacuum s.sqlite
"$VOUCH" store vacuum s.sqlite -o copy.sqlite
"$VOUCH" store check copy.sqlite

# Wrong files, and wrong words.
try "$VOUCH" store vacuum s.sqlite -o copy.sqlite
try "$VOUCH" store check corpus.txt
try "$VOUCH" store check missing.sqlite
try "$VOUCH" store export s.sqlite
try "$VOUCH" store export s.sqlite --document other.txt
try out --annotator carl
sed 's/^[^ ][^ ]*/word/' corpus.txt >words.txt
try "$VOUCH" store add s.sqlite --document corpus.txt --annotator carl words.txt
try "$VOUCH" store add s.sqlite --document corpus.txt ann.txt
try "$VOUCH" store
try "$VOUCH" store mend s.sqlite
try "$VOUCH" store check
try "$VOUCH" store check s.sqlite copy.sqlite
try "$VOUCH" store check s.sqlite --merge latest
head -c 20000 s.sqlite >damaged.sqlite
"$VOUCH" store export damaged.sqlite --document corpus.txt >out.txt 2>messages.txt ||
    grep -c 'the store is damaged' messages.txt
"$VOUCH" store check damaged.sqlite >out.txt 2>&1 || echo 'not whole'
