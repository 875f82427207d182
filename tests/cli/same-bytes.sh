# Calibrated models and reviews do not depend on the number of threads, with several blocks of sentences a part.
# Release only: sanitizers find nothing here that they do not find in shorter runs.
. "$CLI/common"
# Runs a command, which writes file $1, with several numbers of threads.
alike()
{
    alike_file=$1
    shift
    for alike_threads in 1 3 8; do
        "$@" -j $alike_threads >.said 2>&1
        cksum <"$alike_file"
    done | sort -u | wc -l
}
"$VOUCH" sample --kind ner -n 450 >names.txt
"$VOUCH" sample --kind dep -n 400 >trees.conllu
alike m.vouch "$VOUCH" train -q --task ner -n 2 -o m.vouch names.txt
alike m.vouch "$VOUCH" train -q --task ner -a cw+crf -n 1 -o m.vouch names.txt
alike m.tsv "$VOUCH" review -q --task ner -n 1 -o m.tsv names.txt
alike d.vouch "$VOUCH" train -q --task dep --unlabelled --bits 16 -a perceptron -n 1 -o d.vouch trees.conllu
alike d.tsv "$VOUCH" review -q --task dep --bits 16 -a perceptron -n 1 -o d.tsv trees.conllu
