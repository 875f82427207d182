# What is in a model and where it came from.
. "$CLI/common"
corpus
learn -t ner -a cw+crf -n 2 --dev test.txt --seed 5 --no-calibrate -o m.vouch train.txt
"$VOUCH" info m.vouch | sed 's/^written by  vouch .*/written by  vouch V/; s/^file .*/file N bytes/'
"$VOUCH" info m.vouch >one
"$VOUCH" info -m m.vouch | cmp - one
"$VOUCH" info --json m.vouch |
    sed -n '1,3p; /"scheme"/,/}/p; /"layers"/,/^  ]/p; /"strings"/p; /"seen"/p; /"features"/p' |
    sed 's/"version": .*/"version": V/'
"$VOUCH" info --show-template m.vouch
# How models are drawn.
learn -t ner -n 2 -o c.vouch train.txt
"$VOUCH" info c.vouch | grep ^draws
"$VOUCH" tune -q -m c.vouch --grid quick --draws 20 --plain-draws -o p.vouch test.txt >table
"$VOUCH" info p.vouch | grep ^draws
