# Mistakes in the command line and in the plan; and a step that fails.
. "$CLI/common"
"$VOUCH" sample --kind np -n 20 >np.txt
plan()
{
    echo "$1" >plan.json
    try "$VOUCH" experiment all -o out plan.json 2>&1
}
try "$VOUCH" experiment
try "$VOUCH" experiment everything -o out plan.json
try "$VOUCH" experiment all plan.json
try "$VOUCH" experiment all -o "" plan.json
try "$VOUCH" experiment all -o out
try "$VOUCH" experiment all -o out none.json
try "$VOUCH" experiment all -o out --grid slow plan.json
for list in x 1x 1,0 1,1 1, 1001 0,1,2,3,4; do
    try "$VOUCH" experiment all -o out --k-best $list --task np np.txt
done
try "$VOUCH" experiment all -o out --task words np.txt
try "$VOUCH" experiment active -o out --task dep np.txt
try "$VOUCH" experiment data -o np.txt/out --task np np.txt
plan '{"datasets": []}'
plan '{"datasets": [{"key": "np", "task": "np", "files": "np.txt"}'
plan '{"datasets": [{"key": "np", "task": "np", "files": "mp.txt"}]}'
plan '{"datasets": [{"key": "np", "task": "np", "flies": "np.txt"}]}'
plan '{"datasets": [{"key": "np", "task": "np", "files": "np.txt", "test": "np.txt"}]}'
plan '{"datasets": [{"key": "np", "task": "np", "files": "np.txt", "paper": "Danish"}]}'
plan '{"datasets": [{"key": "np", "task": "np", "files": "np.txt", "same": true}]}'
ls

# The message of the command that failed is passed on.
echo "one two three" >words.txt
try "$VOUCH" experiment data -o out --task dep words.txt | sed "s|$PWD|.|"

# Ninja runs the commands.
try env PATH=/nowhere "$VOUCH" experiment data -o other --task np np.txt
