#!/usr/bin/env python3
"""Measures vouch for Python beside python-crfsuite and sklearn-crfsuite: learning and labelling, in one run.

    bench/python_peers.py [DATA]        DATA has seq/conll2002-es/esp.{train,testb}.xz; ../shared/data if not given

Run it with the Python of script/test-peers (build/peers/bin/python), which has all three. Features are the same objects
for all: dicts of a word, its neighbours, affixes and parts of speech. Times are CPU seconds of one call on one thread,
which takes the dicts and returns lists of labels. Prints a table in Markdown; F1 is that of chunks.
"""

import lzma
import sys
import tempfile
import time
import warnings
from pathlib import Path

try:
    import pycrfsuite
    import sklearn_crfsuite
    from vouch.sklearn import Tagger
except ImportError as error:
    sys.exit(f"python_peers: skipped: {error}")

warnings.simplefilter("ignore")


def read(path):
    with lzma.open(path, "rt", encoding="utf-8") as file:
        blocks = file.read().strip().split("\n\n")
    rows = [[line.split() for line in block.split("\n")] for block in blocks]
    return [[features(s, i) for i in range(len(s))] for s in rows], [[row[-1] for row in s] for s in rows]


def features(sentence, i):
    result = {"bias": 1.0}
    for at in (-1, 0, 1):
        if not 0 <= i + at < len(sentence):
            result[f"{at}:end"] = True
            continue
        word, pos = sentence[i + at][:2]
        result.update({f"{at}:word": word.lower(), f"{at}:title": word.istitle(), f"{at}:upper": word.isupper(),
                       f"{at}:pos": pos, f"{at}:pos2": pos[:2]})  # fmt: skip
    word = sentence[i][0]
    result.update({"suffix3": word[-3:], "suffix2": word[-2:], "prefix3": word[:3], "digit": word.isdigit()})
    return result


def chunks(labels):
    """The chunks of a sentence in IOB2, as (type, first word, word behind the last)."""
    found, start = set(), None
    for i, label in enumerate([*labels, "O"]):
        if start is not None and label != f"I-{kind}":
            found.add((kind, start, i))
            start = None
        if label[0] == "B" or (label[0] == "I" and start is None):
            kind, start = label[2:], i
    return found


def f1(gold, guess):
    pairs = [(chunks(a), chunks(b)) for a, b in zip(gold, guess)]
    both = sum(len(a & b) for a, b in pairs)
    return 200 * both / max(1, sum(len(a) + len(b) for a, b in pairs))


def timed(call):
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


class PythonCrfsuite:
    """python-crfsuite as its documentation uses it: feature dicts, turned into items by the library."""

    def __init__(self, algorithm, **params):
        self.trainer = pycrfsuite.Trainer(algorithm, params, verbose=False)
        self.folder = tempfile.TemporaryDirectory()
        self.path = f"{self.folder.name}/model"

    def fit(self, X, y):
        for sentence, labels in zip(X, y):
            self.trainer.append(pycrfsuite.ItemSequence(sentence), labels)
        self.trainer.train(self.path)
        self.tagger = pycrfsuite.Tagger()
        self.tagger.open(self.path)
        return self

    def predict(self, X):
        return [self.tagger.tag(sentence) for sentence in X]


def main():
    data = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[1] / "../shared/data")
    folder = data / "seq/conll2002-es"
    if not folder.exists():
        sys.exit(f"python_peers: skipped: expected corpora in {data}, found none")
    X, y = read(folder / "esp.train.xz")
    X_test, y_test = read(folder / "esp.testb.xz")
    words = sum(map(len, X_test))
    lbfgs = {"c1": 0.0, "c2": 0.1, "max_iterations": 100}
    runs = {
        "vouch `crf`": lambda: Tagger("crf", calibrate=False),
        "vouch `crf`, calibrated": lambda: Tagger("crf"),
        "vouch `perceptron`": lambda: Tagger("perceptron", calibrate=False),
        "python-crfsuite `ap`, 10 passes": lambda: PythonCrfsuite("ap", max_iterations=10),
        "python-crfsuite `l2sgd`": lambda: PythonCrfsuite("l2sgd", c2=0.1, max_iterations=100),
        "sklearn-crfsuite `lbfgs`": lambda: sklearn_crfsuite.CRF("lbfgs", **lbfgs),
    }
    print("| | learning, s | ratio | labelling, s | words/s | ratio | F1 |")
    print("|---|---|---|---|---|---|---|")
    first = None
    for name, make in runs.items():
        learning, fitted = timed(lambda: make().fit(X, y))
        labelling, guess = min((timed(lambda: fitted.predict(X_test)) for _ in range(3)), key=lambda pair: pair[0])
        first = first or (learning, labelling)
        print(f"| {name} | {learning:.2f} | {learning / first[0]:.1f} | {labelling:.3f} | {words / labelling:.0f} | "
              f"{labelling / first[1]:.1f} | {f1(y_test, guess):.2f} |", flush=True)  # fmt: skip
    tagger = Tagger("crf").fit(X, y)
    for name, crf in {"vouch, calibrated": tagger, "sklearn-crfsuite": fitted}.items():
        print(f"marginals of all labels: {name} {timed(lambda: crf.predict_marginals(X_test))[0]:.2f} s")


if __name__ == "__main__":
    main()
