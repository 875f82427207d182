# What is wrong with another program's answers is said with file and line.
. "$CLI/common"

# Measures the text $1, as printf writes it, with the options that follow.
refuse()
{
    printf "$1" >answers
    shift
    try "$VOUCH" eval -q --resamples 0 "$@" --answers answers
}

echo "columns:"
refuse 'a O\n'
refuse 'a O O 0.5\nb O O\n'
refuse 'a O O 0.5\nb O O much\n'
refuse 'a O O 0.5\n\nb O O nan\n'
refuse 'a O O 0.5\n\nb O O _\n'
refuse 'a O O 0.5\nb O O 1e999\n'
refuse 'a O O 0.5\n' --columns 2,3,5
refuse 'a O O 0.5\n' --columns 0,3,4
refuse '1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\tHeadConf=0.9\n'
refuse ''
echo "CSV:"
refuse 'gold,guess,score\nO,O,0.5\n'
refuse 'label,pred,prob\nO,O,0.5\n'
refuse 'gold,guess,confidence,gold\nO,O,0.5,O\n'
refuse 'gold,guess,confidence\nO,O,\n'
refuse 'gold,guess,confidence\nO,,0.5\n'
refuse 'gold,guess,confidence\nO,O,0.5,7\n'
refuse 'gold,guess,confidence\nO,"O,0.5\n'
refuse 'gold,guess,confidence\nO,"O"x,0.5\n'
refuse 'gold,guess,confidence,sentence\nO,O,0.5,\n'
refuse 'gold,guess,confidence\nO,O,0.5\n' --columns gold,guess,confidence,document
refuse 'gold,guess,confidence\nO,O,0.5\n' --columns 1,2,3
refuse 'gold,guess,confidence\n'
echo "JSON lines:"
refuse '{"gold": ["O"], "guess": ["O"]}\n'
refuse '{"gold": ["O"], "guess": ["O", "O"], "confidence": [0.5]}\n'
refuse '{"gold": ["O"], "guess": ["O"], "confidence": [0.5]}\n{"gold": ["O"], "guess": "O", "confidence": [0.5]}\n'
refuse '{"gold": ["O"], "guess": ["O"], "confidence": [0.5]}\n{"gold": "O", "guess": "O", "confidence": 0.5}\n'
refuse '{"gold": ["O"], "guess": ["O"], "confidence": ["0.5"]}\n'
refuse '{"gold": ["O"], "guess": ["O"], "confidence": [NaN]}\n'
refuse '{"gold": ["O"], "guess": [""], "confidence": [0.5]}\n'
refuse '{"gold": [1], "guess": ["O"], "confidence": [0.5]}\n'
refuse '{"gold": "O", "guess": "O", "confidence": 0.5, "sentence": 1}\n{"gold": "O", "guess": "O", "confidence": 0.5}\n'
refuse '{"gold": "O", "guess": "O", "confidence": 0.5}\n' --columns gold,guess,confidence,document
refuse '{"gold": "O"\n'
refuse '{"tokens": ["a"], "labels": ["O"], "predicted": ["O"], "confidence": {"words": [0.5]}}\n'
echo "options:"
refuse '' --columns gold,guess
refuse '' --columns gold,gold,confidence
refuse '' --columns gold,2,3
refuse '' --gold 2
refuse '' --format conllu
refuse '' -m model
refuse '' --folds 2
refuse '' --columns 1,2,3 gold
try "$VOUCH" eval --columns 1,2,3 answers
try "$VOUCH" eval -q --answers missing.csv
