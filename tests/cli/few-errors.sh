# With few sentences there are few held-out errors to calibrate on: training and tuning warn of it, with the number.
# Release only: models are learned and calibrated for minutes under sanitizers, which other tests reach, too.
. "$CLI/common"
"$VOUCH" sample --kind np -n 50 >np.txt
"$VOUCH" train -t np $THREADS -o m.vouch np.txt 2>&1 | grep '^warning'
"$VOUCH" train -q -t np $THREADS -o m.vouch np.txt
"$VOUCH" sample --kind np -n 30 --first 900 >more.txt
"$VOUCH" tune -m m.vouch --grid quick $THREADS more.txt 2>&1 >table | grep '^warning'

# With 200 sentences the numbers are honest: measured on 2000, and there is no warning.
"$VOUCH" sample -n 200 >few.txt
"$VOUCH" sample -n 2000 --first 5000 >many.txt
"$VOUCH" train -t ner $THREADS -o m.vouch few.txt 2>&1 | grep -c '^warning' || true
"$VOUCH" eval -q --resamples 0 -m m.vouch many.txt | awk '
    $1 == "confidence" { for (i = 1; i <= NF; i++) if ($i == "ECE") at = NF - i }
    at != "" && /^(words|spans|sentences)/ {
        print $1, ($(NF - at) <= ($1 == "words" ? 0.02 : $1 == "spans" ? 0.05 : 0.08) ? "near" : "ECE " $(NF - at))
    }'
