# No line of any help text ends in a blank.
. "$CLI/common"
for command in $("$VOUCH" help | commands); do
    "$VOUCH" $command --help | sed -n "s/.* \$/$command: &|/p"
done
