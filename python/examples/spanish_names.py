"""Names in Spanish news (CoNLL-2002), as a user of sklearn-crfsuite would find them.

    python spanish_names.py FOLDER [SENTENCES]      FOLDER has esp.train.xz and esp.testb.xz

The first two imports below are the only lines that know vouch: with `sklearn_crfsuite` in place of `vouch.sklearn` the
script is one for CRFsuite. Needs scikit-learn.
"""

import lzma
import sys
from collections import Counter
from pathlib import Path

import vouch.sklearn as sklearn_crfsuite
from vouch.sklearn import metrics

import scipy.stats
from sklearn.metrics import make_scorer
from sklearn.model_selection import RandomizedSearchCV


def read(path, limit):
    """Sentences of (word, part of speech, label)."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        blocks = [block for block in file.read().split("\n\n") if block.strip()]
    return [[tuple(line.split()) for line in block.split("\n") if line] for block in blocks[:limit]]


def neighbour(sentence, i, name):
    word, pos = sentence[i][:2]
    return {
        f"{name}:lower": word.lower(),
        f"{name}:title": word.istitle(),
        f"{name}:upper": word.isupper(),
        f"{name}:pos": pos,
        f"{name}:pos2": pos[:2],
    }


def features(sentence, i):
    word, pos = sentence[i][:2]
    result = {
        "bias": 1.0,
        "lower": word.lower(),
        "suffix3": word[-3:],
        "suffix2": word[-2:],
        "upper": word.isupper(),
        "title": word.istitle(),
        "digit": word.isdigit(),
        "pos": pos,
        "pos2": pos[:2],
    }
    result.update(neighbour(sentence, i - 1, "-1") if i > 0 else {"BOS": True})
    result.update(neighbour(sentence, i + 1, "+1") if i + 1 < len(sentence) else {"EOS": True})
    return result


folder, limit = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None
train, test = read(folder / "esp.train.xz", limit), read(folder / "esp.testb.xz", limit)
X_train = [[features(sentence, i) for i in range(len(sentence))] for sentence in train]
y_train = [[row[-1] for row in sentence] for sentence in train]
X_test = [[features(sentence, i) for i in range(len(sentence))] for sentence in test]
y_test = [[row[-1] for row in sentence] for sentence in test]

crf = sklearn_crfsuite.CRF(algorithm="lbfgs", c1=0.1, c2=0.1, max_iterations=100, all_possible_transitions=True)
crf.fit(X_train, y_train)
labels = list(crf.classes_)
labels.remove("O")
y_pred = crf.predict(X_test)
print("weighted F1 of words", round(metrics.flat_f1_score(y_test, y_pred, average="weighted", labels=labels), 4))
print(metrics.flat_classification_report(y_test, y_pred, labels=sorted(labels, key=lambda x: (x[1:], x[0])), digits=3))

crf = sklearn_crfsuite.CRF(algorithm="lbfgs", max_iterations=100, all_possible_transitions=True)
space = {"c1": scipy.stats.expon(scale=0.5), "c2": scipy.stats.expon(scale=0.05)}
scorer = make_scorer(metrics.flat_f1_score, average="weighted", labels=labels)
search = RandomizedSearchCV(crf, space, cv=3, n_iter=2, scoring=scorer, random_state=1)
search.fit(X_train[:300], y_train[:300])
print("searched", sorted(search.best_params_), round(search.best_score_, 4))
print("size of the best model in bytes", search.best_estimator_.size_)

crf = search.best_estimator_
print("likeliest transitions")
for (left, right), weight in Counter(crf.transition_features_).most_common(5):
    print(f"{left:7} {right:7} {weight:.3f}")
print("strongest features")
for (name, label), weight in Counter(crf.state_features_).most_common(5):
    print(f"{weight:.3f} {label:7} {name}")
print("marginals of a word", {label: round(p, 3) for label, p in crf.predict_marginals_single(X_test[0])[0].items()})
