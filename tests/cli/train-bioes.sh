# A corpus in BIOES is left as it is by --learn-as iob2, as the help says.
. "$CLI/common"
printf 'a B-X\nb E-X\nc O\nd S-X\n\ne S-X\nf O\n\n' >train.txt
for scheme in iob2 bioes keep; do
    learn -t ner -n 2 --learn-as $scheme --no-calibrate -o m.vouch train.txt
    echo "$scheme: $("$VOUCH" info m.vouch | grep ^scheme)"
    "$VOUCH" tag -m m.vouch train.txt
done
