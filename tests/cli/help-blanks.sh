# No line of any help text ends in a blank.
for command in train tune tag eval review draws sample info dump load; do
    "$VOUCH" $command --help | sed -n "s/.* \$/$command: &|/p"
done
