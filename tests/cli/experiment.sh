# An experiment on a small corpus and a small treebank: every step is run once, and its command and result are kept.
. "$CLI/common"
"$VOUCH" sample --kind ner -n 80 >names.txt
"$VOUCH" sample --kind dep -n 40 >train.conllu
"$VOUCH" sample --kind dep -n 10 --first 40 >test.conllu
cat >plan.json <<'END'
{"datasets": [
  {"key": "names", "task": "ner", "files": "names.txt", "paper": "NER English"},
  {"key": "trees", "name": "Trees", "task": "dep", "train": ["train.conllu"], "test": "test.conllu"}]}
END
run()
{
    "$VOUCH" experiment "$@" --folds 2 -n 1 --most 80 --repeats 1 --tuning 12 --grid quick $THREADS -o out plan.json
}

# What would be run; then what is.
run data --dry-run | sed "s|$PWD|.|"
ls
run data 2>&1
run prediction 2>&1
(cd out/steps && find . -name '*.json' | sort)

# Again: nothing is to be done, or what is not there any more.
run data 2>&1
run prediction 2>&1
rm out/steps/data/names/info.json
run data --dry-run | grep '^#'
run data 2>&1

# One can have them run by hand, too.
ninja -C out data | tail -n 1

# The paper's own learners throughout, and no others.
run prediction --k-best 1 --dry-run | sed "s|$PWD|.|g" | grep -e k1 -e 'train.*-a cw' -e folds

# Each number has its command, with the parameter that another step chose.
sed -n '/"command"/,/]/p' out/steps/prediction/trees/pa.json | grep -v "$PWD"
grep -c '"accuracy"' out/steps/prediction/trees/pa.json
sed -n '/"experiments"/,/]/p' out/results.json
grep -e '"key"' -e '"paper"' -e '"kind"' out/results.json
ls out

# One can type it.
(cd out && eval "$("$VOUCH" experiment data --dry-run -o . ../plan.json |
    sed -n '/info/{n;s/^vouch/"$VOUCH"/p;}' | head -n 1)") |
    grep '"features"'
