# An unknown letter among several is named, not its neighbours.
for letters in -qZ -Zq; do
    "$VOUCH" tag $letters 2>&1 | grep -o "unknown option '-[a-z]*Z[a-z]*'" | sed "s/'-.*Z.*'/Z/"
done
