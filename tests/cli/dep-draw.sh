# Trees drawn as text, and the first of them as a picture.
. "$CLI/common"
. "$CLI/tree_common"
"$VOUCH" sample --kind dep -n 150 -o train.conllu
"$VOUCH" sample --kind dep -n 2 --first 150 -o two.conllu
learn -t dep -n 3 --bits 16 --no-calibrate -o dep.vouch train.conllu
"$VOUCH" parse -m dep.vouch --draw text two.conllu
"$VOUCH" parse -m dep.vouch --draw svg two.conllu | grep -c '<svg'
