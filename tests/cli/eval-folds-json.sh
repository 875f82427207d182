# Cross-validation as JSON has the figures after every pass, and what --tune chose. The last pass is the result.
"$VOUCH" sample --kind np -n 40 >np.txt
"$VOUCH" eval --folds 2 -t np -a cw,perceptron -n 2 --tune -q --json $THREADS np.txt
"$VOUCH" eval --folds 2 -t pos --gold 2 -n 2 -q --json $THREADS np.txt | sed -n '/passes/,/]/p'
