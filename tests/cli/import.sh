# Importing models of other programs: what is misused and refused. tests/import compares answers.
. "$CLI/common"
printf 'lCRF no more\n' >short
try "$VOUCH" import
try "$VOUCH" import --from crfsuit -o m.vouch short
try "$VOUCH" import --from crfsuite short
try "$VOUCH" import --from crfsuite --scheme iob3 -o m.vouch short
try "$VOUCH" import --from crfsuite -o m.vouch
try "$VOUCH" import --from crfsuite -o m.vouch short short
try "$VOUCH" import --from crfsuite -o m.vouch short
try "$VOUCH" import --from crfsuite -o m.vouch missing
try "$VOUCH" import --from crfsuite -o m.vouch .
try "$VOUCH" import --from crfsuite -o short short
ls
