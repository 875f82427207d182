"""Answers as cleanlab takes them, which finds label errors in corpora.

    answers = model.tag(sentences, alternatives=len(model.labels))
    labels, pred_probs = vouch.cleanlab.to_cleanlab(answers, gold, classes)
    issues = cleanlab.token_classification.filter.find_label_issues(labels, pred_probs)

The model must not have learned from these sentences: see vouch.sklearn.Tagger.to_cleanlab(). cleanlab itself is not
imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._answers import Answers, Word

if TYPE_CHECKING:
    import numpy

__all__ = ["probabilities", "to_cleanlab"]


def _row(word: Word, columns: dict[str | int | None, int]) -> list[float]:
    """The probabilities of all classes; those below a millionth, which answers leave out, share what is left."""
    row = [0.0] * len(columns)
    for label, probability in word.alternatives:
        if label in columns:
            row[columns[label]] += probability
    left, missing = max(0.0, 1 - sum(row)), row.count(0.0)
    if missing:
        row = [value or left / missing for value in row]
    total = sum(row)
    return [value / total for value in row]


def probabilities(answers: Answers, classes: Sequence[str]) -> list[list[list[float]]]:
    """For every word of every sentence the probabilities of the classes, which add up to 1.

    The answers must have alternatives: as many as the model has labels.
    """
    if answers.trees:
        raise ValueError("expected labels, found trees")
    columns: dict[str | int | None, int] = {name: i for i, name in enumerate(classes)}
    return [[_row(word, columns) for word in sentence] for sentence in answers]


def to_cleanlab(
    answers: Answers, gold: Sequence[Sequence[str]], classes: Sequence[str]
) -> tuple[list[list[int]], list[numpy.ndarray[Any, Any]]]:
    """Gold labels as numbers of classes, and an array of probabilities for every sentence: a row for each word."""
    import numpy

    number = {name: i for i, name in enumerate(classes)}
    unknown = {label for labels in gold for label in labels} - number.keys()
    if unknown:
        raise ValueError(f"expected labels of {list(classes)}, found {sorted(unknown)}")
    lengths = [len(sentence) for sentence in answers]
    if lengths != [len(labels) for labels in gold]:
        raise ValueError("expected as many labels as words in every sentence")
    arrays = [
        numpy.asarray(rows, dtype=numpy.float64).reshape(-1, len(classes)) for rows in probabilities(answers, classes)
    ]
    return [[number[label] for label in labels] for labels in gold], arrays
