# Escape sequences in words, labels, file names and options do not reach a terminal; in data they stay as they are.
. "$CLI/common"
esc=$(printf '\033') c1=$(printf '\302\233') turn=$(printf '\342\200\256')
evil="$esc[31m$c1$turn"
mark=$(printf '\357\277\275')

# Runs a command and says whether something got through, having shown that something was there; "data" is what stays.
tried=0
check()
{
    tried=$((tried + 1))
    "$@" >.out 2>.err || true
    if cat .out .err | LC_ALL=C grep -q -e "$esc" -e "$c1" -e "$turn"; then
        echo "through: $*" | tr '\033\302\233\342\200\256' '??????'
    elif ! cat .out .err | grep -q "$mark"; then
        echo "nothing to see: $*" | tr '\033\302\233\342\200\256' '??????'
        cat .out .err
    fi
    rm .out .err
}

"$VOUCH" sample -n 300 | sed "s/-PER\$/-P${evil}R/; s/^in /i${evil}n /" >"train$evil.txt"
"$VOUCH" sample -n 60 --first 300 | sed "s/-PER\$/-P${evil}R/; s/^in /i${evil}n /" >"test$evil.txt"
"$VOUCH" sample --kind dep -n 60 | sed "s/	nsubj	/	ns${evil}ubj	/; s/	the	the	/	t${evil}he	the	/" >"dep$evil.conllu"
model="m$evil.vouch"
check "$VOUCH" train -t ner -n 2 -o "$model" "train$evil.txt"
"$VOUCH" train -q -t dep -n 2 --bits 14 -o d.vouch "dep$evil.conllu"

check "$VOUCH" info "$model"
check "$VOUCH" info d.vouch
check "$VOUCH" eval -m "$model" "test$evil.txt"
check "$VOUCH" eval -v -m d.vouch -c none "dep$evil.conllu"
check "$VOUCH" eval -m "$model" "no$evil.txt"
check "$VOUCH" eval "test$evil.txt"
check "$VOUCH" tune -m "$model" -o "new$evil.vouch" "test$evil.txt"
check "$VOUCH" trade -m "$model" --precision 0.9 -o "new$evil.vouch" "test$evil.txt"
check "$VOUCH" review -t ner -n 1 -o "list$evil.tsv" "train$evil.txt"
check "$VOUCH" review --apply "list$evil.tsv" -o "again$evil.txt" "train$evil.txt"
check "$VOUCH" split --share 0.5 -o "half$evil" --rest "rest$evil" "train$evil.txt"
check "$VOUCH" tag -m "m$evil" "test$evil.txt"
check "$VOUCH" tag -m "$model" --confidence "x$evil" "test$evil.txt"
check "$VOUCH" "$evil"
check "$VOUCH" tag -m "$model" --format "$evil"
check "$VOUCH" help "$evil"
printf 'L\ta%s:b\n' "$evil" >attributes
check "$VOUCH" train -t ner --format crfsuite -o x.vouch attributes
printf '1\ta\t_\t_\t_\t_\t%s\tx\t_\t_\n' "$evil" >head.conllu
check "$VOUCH" eval -m d.vouch head.conllu
{ echo "# conf_method=d${evil}:raw"; "$VOUCH" tag -q -m "$model" "test$evil.txt"; } >named.txt
check "$VOUCH" eval --resamples 0 named.txt

"$VOUCH" tag -q -m "$model" --colour "test$evil.txt" | sed "s/$esc\[[0-9;]*m//g" >coloured
check cat coloured
"$VOUCH" parse -q -m d.vouch --colour "dep$evil.conllu" | sed "s/$esc\[[0-9;]*m//g" >coloured
check cat coloured
check "$VOUCH" parse -q -m d.vouch --draw text "dep$evil.conllu"
echo "$tried tried"
echo "data:"
"$VOUCH" tag -q -m "$model" -c none "test$evil.txt" | cut -d ' ' -f 1-4 | cmp - "test$evil.txt"
"$VOUCH" parse -q -m d.vouch -c none "dep$evil.conllu" | cut -f 2,3 >words
cut -f 2,3 "dep$evil.conllu" | cmp - words
