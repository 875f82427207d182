# A training that is killed goes on with --resume, on another number of threads, and writes the same model.
# Release only: slow under sanitizers, which test checkpoints in a unit test.
. "$CLI/resume_common"
corpus
broken model-label-crf -t ner -n 30 train.txt
broken held-out-00-00-label-crf -t ner -n 10 --shards 4 train.txt
