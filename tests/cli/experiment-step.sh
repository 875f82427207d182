# One step as Ninja has it run: its record, and what it does not leave behind.
. "$CLI/common"
version=$("$VOUCH" version | cut -d ' ' -f 2)
step()
{
    try "$VOUCH" step "$version" "$@"
}
mkdir steps
"$VOUCH" sample --kind np -n 30 >np.txt

# What was printed, and by what command. How long it took differs.
step bounds -- draws --json --words 1 --draws 10
sed -e 's/\(seconds": [0-9]\).*/\1/' -e '/"words": 1/q' steps/bounds.json

# Of a log, passes and what was tuned; other steps chose a parameter.
step tuning -- train --task np -a cw -n 1 --tune --no-calibrate --log log -o /dev/null np.txt
step model np -- train --task np -a cw -n 2 --no-calibrate --log log -o model np.txt
step model tuning -- train --task np -a cw -n 2 --no-calibrate --log log -o model np.txt
sed -n '/"command"/,/]/p' steps/model.json
grep -c '"loss"' steps/model.json

# A command that fails leaves no record.
step failing tuning -- train --task np -a cw -n 2 --no-calibrate --log log -o model none.txt
ls steps

# What is no JSON is no result.
step text -- draws

# Another version than the one that the steps are of, and too few words.
try "$VOUCH" step 0.0.0 bounds -- draws --json
try "$VOUCH" step "$version" bounds draws
step none -- nothing

# All threads are for a step that is alone: here they are none, which only one beside another does not notice.
train="train --task np -a cw -n 1 --no-calibrate --log log -o model np.txt"
VOUCH_STEP_THREADS=0
export VOUCH_STEP_THREADS
step alone -- $train
try flock --shared steps "$VOUCH" step "$version" beside -- $train

# Ninja takes the end of a step's output for the end of the step: that stays open as long as the step waits for input.
unset VOUCH_STEP_THREADS
mkfifo slow
"$VOUCH" step "$version" slow -- train --task np -a cw -n 1 --no-calibrate --log log -o model slow 2>/dev/null | {
    timeout 1 cat || echo 'open after a second'
    timeout 60 sh -c 'cat np.txt >slow'
    cat
}
ls steps/slow.json
