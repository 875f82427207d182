#!/usr/bin/env python3
"""Measures how far the marginals of imported CRFsuite models are probabilities, before and after vouch tune.

    bench/imported.py VOUCH [DATA]    DATA has seq/conll2002-es/esp.{train,testa,testb}.xz; ../shared/data if not given

Run it with a Python that has python-crfsuite (that of script/test-peers: build/peers/bin/python). CRFsuite learns from
train, vouch imports the model and tunes it on testa, and both models are measured on testb. Prints a table in Markdown:
the share of words, names and sentences that are right, the mean of their confidence, and the expected calibration
error, of the marginals as they are and of the confidence that vouch tag gives after tuning.
"""

import json
import lzma
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import pycrfsuite
except ImportError as error:
    sys.exit(f"imported: skipped: {error}")

MODELS = {
    "lbfgs, c2 = 1 (default)": {},
    "lbfgs, c1 = c2 = 0.1, 100 passes": {"c1": 0.1, "c2": 0.1, "max_iterations": 100},
}
UNITS = {"words": "words", "spans": "names", "sentences": "sentences"}


def sentences(path):
    """Sentences of (attributes of its words, labels)."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for block in file.read().strip().split("\n\n"):
            rows = [line.split() for line in block.split("\n")]
            yield [attributes(rows, i) for i in range(len(rows))], [row[-1] for row in rows]


def attributes(rows, i):
    found = ["bias"]
    for at in (-1, 0, 1):
        if not 0 <= i + at < len(rows):
            found.append(f"{at}=end")
            continue
        word, pos = rows[i + at][:2]
        found += [f"{at}w={word.lower()}", f"{at}title={word.istitle()}", f"{at}upper={word.isupper()}", f"{at}p={pos}"]
    word = rows[i][0]
    return [*found, f"s3={word[-3:]}", f"s2={word[-2:]}", f"p3={word[:3]}", f"digit={word.isdigit()}"]


def write(path, corpus):
    """Writes a corpus in CRFsuite's format."""
    with open(path, "w", encoding="utf-8") as out:
        for words, labels in corpus:
            for label, names in zip(labels, words):
                escaped = (name.replace("\\", "\\\\").replace(":", "\\:") for name in names)
                print(label, *escaped, sep="\t", file=out)
            print(file=out)


def measured(vouch, model, corpus, *options):
    """What the first method says of each unit: share right, mean confidence, expected calibration error."""
    run = [vouch, "eval", "-q", "--json", "--resamples", "0", "-m", model, *options, corpus]
    found = json.loads(subprocess.run(run, check=True, capture_output=True, text=True).stdout)["confidence"]
    figures = [found[unit]["methods"][0]["reliability"] for unit in UNITS]
    return [(f["accuracy"], f["confidence"], f["ece"]) for f in figures]


def print_rows(name, vouch, plain, tuned, corpus):
    before, after = measured(vouch, plain, corpus, "-c", "gamma", "--raw"), measured(vouch, tuned, corpus)
    for unit, (right, mean, ece), (_, tuned_mean, tuned_ece) in zip(UNITS, before, after):
        print(f"| {name} | {UNITS[unit]} | {right:.4f} | {mean:.4f} | {ece:.4f} | {tuned_mean:.4f} | {tuned_ece:.4f} |")


def main(vouch, data="../shared/data"):
    corpus = {part: list(sentences(Path(data, "seq/conll2002-es", f"esp.{part}.xz")))
              for part in ("train", "testa", "testb")}  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        file = {part: f"{folder}/{part}" for part in corpus}
        for part, path in file.items():
            write(path, corpus[part])
        print("| CRFsuite | | right | mean marginal | ECE | mean, tuned | ECE, tuned |\n|---|---|--:|--:|--:|--:|--:|")
        for name, parameters in MODELS.items():
            trainer = pycrfsuite.Trainer("lbfgs", parameters, verbose=False)
            for words, labels in corpus["train"]:
                trainer.append(words, labels)
            trainer.train(f"{folder}/model")
            plain, tuned = f"{folder}/plain.vouch", f"{folder}/tuned.vouch"
            subprocess.run([vouch, "import", "--from", "crfsuite", "-o", plain, f"{folder}/model"], check=True)
            subprocess.run([vouch, "tune", "-q", "-m", plain, "-o", tuned, file["testa"]],
                           check=True, stdout=subprocess.DEVNULL)  # fmt: skip
            print_rows(name, vouch, plain, tuned, file["testb"])


if __name__ == "__main__":
    main(*sys.argv[1:])
