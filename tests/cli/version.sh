"$VOUCH" version | sed 's/[0-9][0-9]*/N/g'
"$VOUCH" version >one
"$VOUCH" --version | cmp - one
