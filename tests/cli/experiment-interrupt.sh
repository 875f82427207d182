# Ctrl-C stops the commands that are running; the same command goes on.
. "$CLI/common"
"$VOUCH" sample --kind np -n 200 >np.txt
"$VOUCH" experiment ranking -n 500 --grid quick $THREADS -o out --task np np.txt 2>said &
wait_for out/steps/split/np.json result

# Meanwhile another run may not write there.
try "$VOUCH" experiment data -o out --task np np.txt
kill -INT $!
wait $! || echo "exit $?"
grep interrupted said
ls out/steps/split/np.json

# With fewer passes, all else is done anew.
"$VOUCH" experiment ranking -n 1 --grid quick $THREADS -o out --task np np.txt 2>&1 | tail -n 1

# While figures are drawn it reaches what draws them as well.
mkdir bin
cat >bin/gnuplot <<'END'
#!/bin/sh
! mkdir tried 2>/dev/null || exec echo "<svg><title>Gnuplot</title></svg>"
kill -INT $PPID
exit 1
END
chmod +x bin/gnuplot
try env PATH="$PWD/bin:$PATH" "$VOUCH" experiment ranking -n 1 --grid quick -o out --task np np.txt
