# Labels that spell no chunks have no section of chunks; a gold label that the model never saw is an error.
"$VOUCH" sample --kind pos -n 100 >train.txt
"$VOUCH" sample --kind pos -n 30 --first 100 >test.txt
printf 'new NEVERSEEN\n' >unseen.txt
"$VOUCH" train -t pos -n 2 -q -o m.vouch train.txt
"$VOUCH" eval -q -m m.vouch $THREADS test.txt | sed -n '/^confidence/,$p'
"$VOUCH" eval -q -m m.vouch --format conll $THREADS test.txt unseen.txt | sed -n '/^confidence/,$p' | cut -c 1-54
