"""Answers as cleanlab takes them, which finds label errors in corpora.

    answers = model.tag(sentences, alternatives=len(model.labels))
    labels, pred_probs = vouch.cleanlab.to_cleanlab(answers, gold, classes)
    issues = cleanlab.token_classification.filter.find_label_issues(labels, pred_probs)

The model must not have learned from these sentences: see vouch.sklearn.Tagger.to_cleanlab(). cleanlab itself is not
imported.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from ._answers import Answers

if TYPE_CHECKING:
    import numpy

__all__ = ["marginals", "probabilities", "to_cleanlab"]


def _rows(answers: Answers, classes: Sequence[str]) -> bytearray:
    """The probabilities of all classes for every word, one row behind the other, as float64."""
    if answers.trees:
        raise ValueError("expected labels, found trees")
    columns = {name: i for i, name in enumerate(classes)}
    known = array("i", (columns.get(name, -1) for name in answers.names))
    choices = answers.alternatives
    return _core.probabilities(choices.offsets, choices.labels, choices.probabilities, known, len(classes))


def marginals(answers: Answers, classes: Sequence[str]) -> list[list[dict[str, float]]]:
    """For every word of every sentence a dict of the classes and their probabilities, which add up to 1.

    The answers must have alternatives: as many as the model has labels. Those below a millionth, which answers leave
    out, share what is left.
    """
    return _core.marginals(_rows(answers, classes), answers.offsets, tuple(classes))


def probabilities(answers: Answers, classes: Sequence[str]) -> list[numpy.ndarray[Any, Any]]:
    """The same as an array for every sentence: a row for each word, a column for each class."""
    import numpy

    rows = numpy.frombuffer(_rows(answers, classes), dtype=numpy.float64).reshape(-1, len(classes))
    bounds = answers.offsets.tolist()
    return [rows[first:end] for first, end in zip(bounds, bounds[1:])]


def to_cleanlab(
    answers: Answers, gold: Sequence[Sequence[str]], classes: Sequence[str]
) -> tuple[list[list[int]], list[numpy.ndarray[Any, Any]]]:
    """Gold labels as numbers of classes, and an array of probabilities for every sentence: a row for each word."""
    number = {name: i for i, name in enumerate(classes)}
    unknown = {label for labels in gold for label in labels} - number.keys()
    if unknown:
        raise ValueError(f"expected labels of {list(classes)}, found {sorted(unknown)}")
    lengths = [len(sentence) for sentence in answers]
    if lengths != [len(labels) for labels in gold]:
        raise ValueError("expected as many labels as words in every sentence")
    return [[number[label] for label in labels] for labels in gold], probabilities(answers, classes)
