# A header whose confidence is damaged: an error that names it, and no crash; tuning makes it good again.
. "$CLI/common"
corpus
learn -t ner -a cw -n 1 --no-calibrate -o m.vouch train.txt
"$VOUCH" tune -q -m m.vouch --in-place --grid quick test.txt >/dev/null
"$VOUCH" dump m.vouch >text
damage()
{
    echo "$1"
    sed "2$2" text | "$VOUCH" load -o bad.vouch
    cmp -s m.vouch bad.vouch && echo "expected a difference"
    status=0
    "$VOUCH" tag -q -m bad.vouch -c all test.txt >out 2>said || status=$?
    cat said
    echo "exit $status"
}
damage "no object" 's/"confidence":{.*}/"confidence":[1]}/'
damage "no layers" 's/"layers":{"label":{/"other":{"label":{/'
damage "another layer" 's/"layers":{"label":{"para/"layers":{"arc":{"para/'
damage "no parameters" 's/"parameters":{"cw":{"K_best/"parameters":{"pa":{"K_best/'
damage "K" 's/"K":50/"K":0/'
damage "K" 's/"K":50/"K":99999/'
damage "K_best" 's/"K_best":[0-9]*/"K_best":-1/'
damage "s" 's/"s_fix":[0-9.e-]*/"s_fix":-1/'
damage "c" 's/"c":[0-9.]*}}/"c":0}}/'
damage "a kind" 's/"kind":"[a-z]*","margin"/"kind":"curly","margin"/'
damage "a limit" 's/"limit":[0-9.]*/"limit":-3/'
damage "a method" 's/"methods":{"delta"/"methods":{"epsilon"/'
damage "a voice" 's/"methods":{"delta"/"methods":{"delta@pa"/'
damage "preferred" 's/"preferred":"[^"]*"/"preferred":"nobody"/'
damage "the committee" 's/"committee":{"words":{"kind":"[a-z]*"/"committee":{"words":{"kind":"both"/; '\
's/"bias":/"bios":/; s/"weight":\[/"weight":[1,/'
damage "words for numbers" 's/"weight":\[[^]]*\]/"weight":"heavy"/'

"$VOUCH" tune -q -m bad.vouch --grid quick -o good.vouch test.txt >/dev/null
"$VOUCH" tag -q -m good.vouch test.txt >one
"$VOUCH" tag -q -m m.vouch test.txt | cmp - one
