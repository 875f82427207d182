# Several voices, the best pass, a parameter that is tuned: what was chosen before the kill is not chosen anew.
# Release only: slow under sanitizers, which test checkpoints in a unit test.
. "$CLI/resume_common"
corpus
broken model-label-crf -t ner -a cw+crf -n 15 --dev test.txt --best-pass train.txt
broken model-label-cw -t ner -a cw+crf -n 15 --shards 4 --dev test.txt --best-pass train.txt
broken model-label-pa-tuned -t ner -a pa+perceptron -n 8 --tune --no-calibrate train.txt
broken model-label-perceptron -t ner -a pa+perceptron -n 8 --tune train.txt
