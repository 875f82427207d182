# A parser that is killed while it learns heads, relations, or models that hold out a part, goes on to the same model.
# Release only: slow under sanitizers, which test checkpoints in a unit test.
. "$CLI/resume_common"
treebank
broken model-relation-crf -t dep --bits 14 -n 3 --no-calibrate train.conllu
broken model-arc-cw -t dep --bits 14 -a cw+crf -n 3 --shards 4 --no-calibrate train.conllu
broken held-out-01-01-arc-crf -t dep --bits 14 -n 2 train.conllu
