# A tagger whose confidence was calibrated by a version that drew other models says so, once, where a method draws, and
# vouch tune renews it.
. "$CLI/common"
corpus
learn -t ner -n 2 -a cw -o m.vouch train.txt
"$VOUCH" dump m.vouch | sed '2s/"paired":[a-z]*,//g' | "$VOUCH" load -o old.vouch
said()
{
    echo "$*"
    "$VOUCH" "$@" 2>&1 >/dev/null | grep -e warning: || echo "no warning"
}
for model in m old; do
    said tag -m $model.vouch -c kd-fix test.txt
    said tag -m $model.vouch -c gamma test.txt
    said eval -m $model.vouch -c kd-fix,kd-pc,gamma --resamples 0 test.txt
    said trade -m $model.vouch -c kd-fix test.txt
done
"$VOUCH" tune -q -m old.vouch --grid quick -o new.vouch test.txt >/dev/null 2>&1
said tag -m new.vouch -c kd-fix test.txt
"$VOUCH" sample --kind dep -n 80 >train.conllu
"$VOUCH" sample --kind dep -n 20 --first 80 >test.conllu
learn -t dep -n 2 --bits 14 -o d.vouch train.conllu
"$VOUCH" dump d.vouch | sed '2s/"paired":[a-z]*,//g' | "$VOUCH" load -o old-d.vouch
said parse -m old-d.vouch -c kd-fix test.conllu
