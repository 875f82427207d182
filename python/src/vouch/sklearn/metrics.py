"""Measures of labels, over the words of all sentences: scikit-learn's, which must be installed.

They have the names of sklearn_crfsuite.metrics. `vouch.metrics` measures confidence.

>>> from vouch.sklearn import metrics
>>> metrics.flat_accuracy_score([["B-PER", "O"], ["O"]], [["B-PER", "O"], ["B-LOC"]])
0.6666666666666666
>>> metrics.sequence_accuracy_score([["B-PER", "O"], ["O"]], [["B-PER", "O"], ["B-LOC"]])
0.5
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

__all__ = [
    "flat_accuracy_score", "flat_classification_report", "flat_f1_score", "flat_fbeta_score", "flat_precision_score",
    "flat_recall_score", "sequence_accuracy_score",
]  # fmt: skip

Labels = Iterable[Iterable[str]]


def _flat(y_true: Labels, y_pred: Labels) -> tuple[list[str], list[str]]:
    return list(chain.from_iterable(y_true)), list(chain.from_iterable(y_pred))


def flat_accuracy_score(y_true: Labels, y_pred: Labels) -> float:
    """The share of words whose label is right."""
    from sklearn import metrics

    return float(metrics.accuracy_score(*_flat(y_true, y_pred)))


def flat_precision_score(y_true: Labels, y_pred: Labels, **options: Any) -> Any:
    """Precision of labels, with the options of sklearn.metrics.precision_score()."""
    from sklearn import metrics

    return metrics.precision_score(*_flat(y_true, y_pred), **options)


def flat_recall_score(y_true: Labels, y_pred: Labels, **options: Any) -> Any:
    """Recall of labels, with the options of sklearn.metrics.recall_score()."""
    from sklearn import metrics

    return metrics.recall_score(*_flat(y_true, y_pred), **options)


def flat_f1_score(y_true: Labels, y_pred: Labels, **options: Any) -> Any:
    """F1 of labels, with the options of sklearn.metrics.f1_score()."""
    from sklearn import metrics

    return metrics.f1_score(*_flat(y_true, y_pred), **options)


def flat_fbeta_score(y_true: Labels, y_pred: Labels, beta: float, **options: Any) -> Any:
    """F-beta of labels, with the options of sklearn.metrics.fbeta_score()."""
    from sklearn import metrics

    return metrics.fbeta_score(*_flat(y_true, y_pred), beta=beta, **options)


def flat_classification_report(
    y_true: Labels, y_pred: Labels, labels: Sequence[str] | None = None, **options: Any
) -> Any:
    """Precision, recall and F1 of every label, with the options of sklearn.metrics.classification_report()."""
    from sklearn import metrics

    return metrics.classification_report(*_flat(y_true, y_pred), labels=labels, **options)


def sequence_accuracy_score(y_true: Labels, y_pred: Labels) -> float:
    """The share of sentences all of whose labels are right."""
    pairs = [(list(gold), list(found)) for gold, found in zip(y_true, y_pred, strict=True)]
    return sum(gold == found for gold, found in pairs) / len(pairs) if pairs else 0.0
