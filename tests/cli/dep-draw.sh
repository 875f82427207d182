# Trees drawn as text, and the first of them as a picture.
. "$CLI/common"
. "$CLI/tree_common"
"$VOUCH" sample --kind dep -n 150 -o train.conllu
"$VOUCH" sample --kind dep -n 2 --first 150 -o two.conllu
learn -t dep -n 3 --bits 16 --no-calibrate -o dep.vouch train.conllu
"$VOUCH" parse -m dep.vouch --draw text two.conllu
"$VOUCH" parse -m dep.vouch --draw svg two.conllu | grep -c '<svg'

# Doubtful arcs have their numbers: below the threshold, or below the limit of --colour.
"$VOUCH" parse -m dep.vouch -c delta --raw --draw text two.conllu
drawn() {
    "$VOUCH" parse -q -m dep.vouch -c gamma --raw --threshold 0.95 --draw "$@" two.conllu
}
drawn text --colour | tr '\033' '~' | grep '~'
drawn svg | grep -o 'class="doubtful"' | wc -l
"$VOUCH" parse -q -m dep.vouch -c none --draw svg two.conllu | grep -c 'class="doubtful"'
