# Run where SIGCHLD is ignored, as some programs leave it: it ends.
. "$CLI/common"
"$VOUCH" sample --kind np -n 20 >np.txt
timeout 200 env --ignore-signal=CHLD "$VOUCH" experiment data $THREADS -o out --task np np.txt 2>&1
