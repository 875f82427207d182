# Spans of another program: every format is read, measured, calibrated, traded by and completed.
. "$CLI/common"
recorded=$(dirname "$CLI")/../examples/answers

# The same three texts as each program writes them: spans that are right, wrong and missed, beyond ASCII.
span() { printf '{"start": %s, "end": %s, "label": "%s"%s}' "$@"; }
{
    printf '{"id": 7, "text": "Zoë in Rome 😀 met Bo", "spans": [%s, %s, %s], "gold": [%s, %s, %s]}\n' \
        "$(span 0 3 PER ', "score": 0.9')" "$(span 7 11 LOC ', "score": 0.8')" "$(span 18 20 PER ', "score": 0.25')" \
        "$(span 0 3 PER '')" "$(span 7 11 ORG '')" "$(span 18 20 PER '')"
    printf '{"text": "", "spans": [], "gold": [], "meta": {"x": [1, {"y": "]}"}]}}\n'
    printf '{"text": "in Oslo", "spans": [], "gold": [%s]}\n' "$(span 3 7 LOC '')"
} >own.jsonl
label='"label": \("[A-Z]*"\), "score"'
offsets='"start": \([0-9]*\), "end": \([0-9]*\)'
sed 's/"spans"/"entities"/; s/'"$label"'/"entity_group": \1, "word": "x", "score"/g' own.jsonl >hf.jsonl
sed 's/'"$label"'/"entity_type": \1, "analysis_explanation": null, "score"/g' own.jsonl >presidio.jsonl
extraction='"extraction_class": \3, "extraction_text": "?", "char_interval": {"start_pos": \1, "end_pos": \2}'
sed 's/"spans"/"extractions"/; s/'"$offsets, $label"'/'"$extraction"', "confidence"/g' own.jsonl >langextract.jsonl
sed 's/"start": 0, "end": 3, "label": "PER", "score"/"text": "Zoë", "label": "PER", "score"/
     s/"start": 18, "end": 20, "label": "PER", "score"/"text": "Bo", "label": "PER", "score"/' own.jsonl >found.jsonl
sed 's/"spans"/"mine"/; s/"gold"/"right"/; s/"score"/"p"/g' own.jsonl >named.jsonl
sed 's/$/\r/' own.jsonl >crlf.jsonl
measure() { "$VOUCH" eval -q $THREADS --resamples 0 "$@"; }
measure --answers own.jsonl | tee own.report
for format in hf presidio langextract found crlf; do
    measure --answers $format.jsonl | cmp - own.report && echo "$format: the same"
done
measure --columns right,mine,p --answers named.jsonl | cmp - own.report && echo "named: the same"
# Lists without texts, and gold in a file of its own.
printf '%s\n' '[{"entity": "B-PER", "index": 1, "score": 0.8, "start": 0, "end": 2, "word": "Z"},
{"entity": "I-PER", "index": 2, "score": 1.0, "start": 2, "end": 3, "word": "##oë"},
{"entity": "B-LOC", "index": 4, "score": 0.8, "start": 7, "end": 11, "word": "Rome"},
{"entity": "O", "index": 5, "score": 0.8, "start": 12, "end": 13, "word": "x"},
{"entity": "I-PER", "index": 7, "score": 0.25, "start": 18, "end": 20, "word": "Bo"}]' | tr -d '\n' >pieces.jsonl
printf '\n[]\n\n[]\n' >>pieces.jsonl
measure --answers pieces.jsonl own.jsonl | cmp - own.report && echo "pieces: the same"
sed 's/"spans": \[[^]]*\], //; s/"gold"/"entities"/' own.jsonl >gold.jsonl
measure --answers pieces.jsonl gold.jsonl | cmp - own.report && echo "gold alone: the same"
measure --answers pieces.jsonl - <gold.jsonl | cmp - own.report && echo "gold from a pipe: the same"
measure --answers - gold.jsonl <pieces.jsonl | cmp - own.report && echo "answers from a pipe: the same"
measure --json --answers own.jsonl | sed -n '/"word/p; /"unit"/p'
# Log-probabilities.
sed 's/0\.9/-0.105360516/; s/0\.8/-0.223143551/; s/0\.25/-1.38629436/' own.jsonl >log.jsonl
measure --log --answers log.jsonl | sed -n '1,10p; /Brier/p' >log.report
sed -n '1,10p; /Brier/p' own.report | cmp - log.report && echo "log: the same"
# The same span twice, and one that is not in its text.
printf '%s\n' '{"text": "in Rome", "spans": [{"start": 3, "end": 7, "label": "LOC", "score": 0.2},
{"start": 3, "end": 7, "label": "LOC", "score": 0.7}, {"text": "Paris", "label": "LOC", "score": 0.1}],
"gold": [{"start": 3, "end": 7, "label": "LOC"}]}' | tr -d '\n' >twice.jsonl
"$VOUCH" eval --resamples 0 --answers twice.jsonl 2>&1 | sed -n '1,4p'

# Gold that repeats a span counts it once; words that the text does not have are wrong, and missed if gold has them.
rome='{"start": 3, "end": 7, "label": "LOC"}'
printf '{"text": "in Rome", "spans": [], "gold": [%s, %s]}\n' "$rome" "$rome" >gold-twice.jsonl
measure --answers gold-twice.jsonl | sed -n 1p
oslo='"text": "Oslo", "label": "LOC"'
printf '{"text": "in Rome", "spans": [{%s, "score": 0.5}], "gold": [{%s}]}\n' "$oslo" "$oslo" >elsewhere.jsonl
measure --answers elsewhere.jsonl | sed -n 1p

# Calibrated on one file, measured on another.
for part in dev test; do gzip -dc "$recorded/huggingface-$part.jsonl.gz" >$part.jsonl; done
"$VOUCH" tune -q $THREADS --answers dev.jsonl -o spans.json
measure --answers test.jsonl | sed -n '/^confidence/p'
measure --answers test.jsonl -m spans.json | sed -n '/^confidence/p'
"$VOUCH" tag --answers test.jsonl -m spans.json >tagged.jsonl
sed 's/, "calibrated": [0-9.e-]*//g' tagged.jsonl | cmp - test.jsonl && echo "nothing else has changed"
{ printf '\357\273\277' && cat test.jsonl; } >marked.jsonl
{ printf '\357\273\277' && cat tagged.jsonl; } >marked.tagged
"$VOUCH" tag --answers marked.jsonl -m spans.json | cmp - marked.tagged && echo "a byte order mark stays"
"$VOUCH" tag --answers crlf.jsonl -m spans.json | sed 's/, "calibrated": [0-9.e-]*//g' >again.jsonl
cmp crlf.jsonl again.jsonl && echo "CRLF stays"
"$VOUCH" tag --answers pieces.jsonl -m spans.json --threshold 0.5
"$VOUCH" tag --answers langextract.jsonl -m spans.json --threshold 0.5 | head -n 1
# The probabilities are those of the measures.
measure --columns gold,entities,calibrated --answers tagged.jsonl | sed -n '/^confidence/p'
# Traded.
"$VOUCH" trade -q $THREADS --answers test.jsonl -m spans.json | head -n 12
"$VOUCH" trade -q $THREADS --answers test.jsonl -m spans.json --precision 0.9 --guarantee 0.8 -o point.json | tail -n 4
"$VOUCH" tag --answers test.jsonl -m point.json --operating-point >kept.jsonl
sed 's/}, {/} , {/g' test.jsonl | "$VOUCH" tag --answers - -m point.json --operating-point |
    sed 's/} , {/}, {/g; s/  *]/]/g' | cmp - kept.jsonl && echo "blanks in front of commas do not matter"
measure --answers kept.jsonl | sed -n 1,2p
"$VOUCH" trade -q $THREADS --answers test.jsonl -m spans.json --precision 0.85 --by type -o types.json | tail -n 8
"$VOUCH" tag --answers own.jsonl -m types.json --operating-point
awk '{ sub(/^\{/, "{\"document\": " int(NR / 3) ", "); print }' test.jsonl >documents.jsonl
"$VOUCH" trade -q $THREADS --answers documents.jsonl -m spans.json --precision 0.9 --guarantee 0.8 -o point.json |
    sed -n '/^chosen/,/^90/p'
"$VOUCH" trade -q --json --answers test.jsonl | sed -n '/"unit"/p; /"drop"/p'
ls
