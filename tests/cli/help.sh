# Help that was asked for is on standard output, with status 0.
. "$CLI/common"
"$VOUCH" help >overview
cat overview
"$VOUCH" --help | cmp - overview
"$VOUCH" -h | cmp - overview
for command in $("$VOUCH" help | commands); do
    "$VOUCH" $command -h
    "$VOUCH" help $command >full
    "$VOUCH" $command --help | cmp - full
    "$VOUCH" $command --usage | cmp - full >differ && echo "expected --usage to be shorter than --help"
    grep -q '^      --help  ' full
    grep -q '^example:$' full
done
"$VOUCH" dump --help
