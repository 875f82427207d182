# A template that is none: the line, and what was expected.
. "$CLI/common"
printf 'Paris NNP B-LOC\n1 CD O\n\n' >train.txt
for line in 'U00:%x[0,9]' 'U00:%x[0,2]' 'U00:%x[0,-1]' 'U00:%x[17,0]' 'U00:%x[0]' 'U00:%x' 'U00:%y[0,0]' \
    'U00:%suffix0[0,0]' 'X00:%x[0,0]' 'B'; do
    printf '# features\n%s\n' "$line" >template
    echo "$line"
    try "$VOUCH" train -t ner --template template -o m.vouch train.txt
done
: >template
try "$VOUCH" train -t ner --template template -o m.vouch train.txt
try "$VOUCH" train -t ner --template missing -o m.vouch train.txt
ls -A
