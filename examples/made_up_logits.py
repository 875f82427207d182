"""Stands in for a neural tagger: writes made-up logits for the words of a labelled file.

    python3 made_up_logits.py FILE NAME [PASSES]

FILE has CoNLL columns, the label last. NAME.npy becomes the logits [T, Y], or with PASSES of dropout [K, T, Y];
labels.txt has the Y labels, in their order. The logits are too large, as those of networks often are: a softmax of
them is too sure of itself.
"""
import sys
import zlib

import numpy as np

LABELS = ["O"] + [p + t for t in ("PER", "LOC", "ORG", "MISC") for p in ("B-", "I-")]

path, name = sys.argv[1:3]
passes = int(sys.argv[3]) if len(sys.argv) > 3 else 0
gold = [line.split()[-1] for line in open(path, encoding="utf-8") if line.strip()]
rng = np.random.default_rng(zlib.crc32(name.encode()))
right = np.array([[label == g for label in LABELS] for g in gold])
logits = 6 * (rng.normal(size=right.shape) + 2.6 * right)
if passes:
    logits = logits + rng.normal(size=(passes, *logits.shape))
np.save(name + ".npy", logits.astype("float32"))
with open("labels.txt", "w", encoding="utf-8") as file:
    print(*LABELS, sep="\n", file=file)
