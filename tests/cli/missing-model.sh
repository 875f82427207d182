# The message is on standard error, the status is 1.
"$VOUCH" tag -m missing.vouch </dev/null
