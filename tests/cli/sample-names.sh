# Names that never occur without --unseen-names.
"$VOUCH" sample -n 3 --unseen-names
"$VOUCH" sample -n 2000 | awk '/B-PER|B-LOC|B-ORG/ { print $1 }' | sort -u >known
"$VOUCH" sample -n 300 --unseen-names | awk '/B-PER|B-LOC|B-ORG/ { print $1 }' | sort -u >names
comm -13 known names | wc -l | awk '{ print ($1 > 20 ? "there are new names" : "hardly any new names: " $1) }'
