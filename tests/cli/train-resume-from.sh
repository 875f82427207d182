# A training that is killed while it holds out a part, learns in shards, or goes on from a model, goes on, too.
# Release only: slow under sanitizers, which test checkpoints in a unit test.
. "$CLI/resume_common"
corpus
broken held-out-02-02-label-crf -t ner -n 10 train.txt
broken model-label-crf -t ner -n 30 --shards 4 train.txt
"$VOUCH" train -q -t ner -n 2 --no-calibrate -o old.vouch test.txt
broken model-label-crf --from old.vouch -n 60 train.txt
