# Without a command: the overview on standard error, status 2.
"$VOUCH" help >overview
status=0
"$VOUCH" 2>said || status=$?
cmp said overview
echo "exit $status"
