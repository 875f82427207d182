# A page about a model: its text, its figures, and the words that it is least sure of or wrong about.
# Release only: slow under sanitizers, which reach the same code in other tests.
. "$CLI/common"
corpus
learn -t ner -a cw+crf -n 2 -o m.vouch train.txt

# What a reader sees, without figures.
read_page()
{
    sed -e '/<style>/,/<\/style>/d' -e '/<svg/,/<\/svg>/d' -e 's/<[^>]*>/ /g' "$1" |
        tr -s ' ' | sed 's/^ //; s/ $//; /^$/d'
}

try "$VOUCH" eval -m m.vouch -c kd-fix,delta --resamples 0 $THREADS --report page.html test.txt >said
grep '^err:' said
read_page page.html >text
sed '/least sure of/q' text
echo ...
sed -n '/least sure of/,/surest of/p' text | sed -n 3,11p
echo ...
sed -n '/surest of/,$p' text | sed -n 2,8p
echo ...
tail -n 2 text
grep -c '<svg' page.html
grep -o 'id="f[0-9]*-gnuplot_canvas"' page.html

# Raw margins are no shares; a file is named, standard input is not; the page comes beside JSON as well.
"$VOUCH" eval -q -m m.vouch -c delta --raw --json $THREADS --report raw.html <test.txt >json
read_page raw.html | sed -n '2,3p; /least sure of/,/line/p'
grep -c '"methods"' json

# Of several files, lines say of which.
mkdir -p 'a&b'
awk -v RS= -v ORS='\n\n' 'NR <= 30' test.txt >'a&b/first.txt'
awk -v RS= -v ORS='\n\n' 'NR > 30' test.txt >second.txt
"$VOUCH" eval -q -m m.vouch -c delta $THREADS --report two.html 'a&b/first.txt' second.txt >text
read_page two.html | grep -o '· .*' | sed -n 1,8p

# Trees, and a model that makes no mistakes on what it learned.
"$VOUCH" sample --kind dep -n 60 >train.conllu
"$VOUCH" sample --kind dep -n 20 --first 60 >test.conllu
learn -t dep -n 4 --bits 16 --no-calibrate -o p.vouch train.conllu
"$VOUCH" eval -q -m p.vouch -c gamma $THREADS --report trees.html test.conllu >text
read_page trees.html | sed -n '2,17p; /least sure of/,/line/p; /surest of/,/line/p'
"$VOUCH" sample --kind pos -n 20 >pos.txt
learn -t pos -n 8 --no-calibrate -o pos.vouch pos.txt
"$VOUCH" eval -q -m pos.vouch -c delta $THREADS --report sure.html pos.txt >text
read_page sure.html | sed -n '/surest of/,/numbers/p'

# Markup in the corpus is text on the page.
printf '<b>x</b> N N B-PER\n& N N O\n\n' >odd.txt
"$VOUCH" eval -q -m m.vouch -c delta $THREADS --report odd.html odd.txt >text
grep -o '<b>x' odd.html || echo "no markup"
grep -o '<mark>[^ ]*</mark>' odd.html | sort -u
read_page odd.html | grep chance

# Nothing to say, nowhere to write.
try "$VOUCH" eval -q -m p.vouch --report page.html test.conllu
try "$VOUCH" eval -q --report page.html test.txt
try "$VOUCH" eval -q -m m.vouch -c delta --report no/such/page.html test.txt

# Thousands are set apart in sentences as in tables.
"$VOUCH" sample -n 120 --first 500 >more.txt
"$VOUCH" eval -q -m m.vouch -c delta --resamples 0 --report more.html more.txt >text
read_page more.html | grep -o 'of [0-9,]* words are right\|^1,[0-9]*$' | sort -u
