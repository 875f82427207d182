"""Datasets of Hugging Face in and out: tokens, and labels as numbers in the column ner_tags.

>>> rows = [{"tokens": ["Ada", "left"], "ner_tags": [1, 0]}]
>>> from_ner_tags(rows, ["O", "B-PER"])
([['Ada', 'left']], [['B-PER', 'O']])
>>> to_ner_tags([["B-PER", "O"]], ["O", "B-PER"])
[[1, 0]]

A row is anything with its columns by name, a dict among it; the library `datasets` is not needed. Its own datasets
know the names of labels, so they need not be given:

    X, y = from_ner_tags(dataset)                           # to train: vouch.sklearn.Tagger().fit(X, y)
    labelled = dataset.map(annotate(model, names), batched=True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ._answers import Answers
from ._model import Model

__all__ = ["annotate", "from_ner_tags", "names_of", "to_ner_tags"]


def names_of(dataset: Any, column: str = "ner_tags") -> list[str]:
    """The names of the labels, from the features of a dataset: those of a list of ClassLabel."""
    feature = dataset.features[column]
    names = getattr(getattr(feature, "feature", feature), "names", None)
    if names is None:
        raise ValueError(f"column {column!r}: expected a list of ClassLabel, found {feature!r}")
    return list(names)


def from_ner_tags(
    rows: Iterable[Mapping[str, Any]],
    names: Sequence[str] | None = None,
    column: str = "ner_tags",
    tokens: str = "tokens",
) -> tuple[list[list[str]], list[list[str]]]:
    """Sentences and their labels; `names` are read from the rows' own features if they are None."""
    known = names_of(rows, column) if names is None else list(names)
    X: list[list[str]] = []
    y: list[list[str]] = []
    for number, row in enumerate(rows, 1):
        words, tags = list(row[tokens]), list(row[column])
        if len(words) != len(tags):
            raise ValueError(f"row {number}: expected {len(words)} of {column!r}, found {len(tags)}")
        wrong = [tag for tag in tags if not 0 <= tag < len(known)]
        if wrong:
            raise ValueError(f"row {number}: expected numbers from 0 to {len(known) - 1}, found {wrong[0]}")
        X.append(words)
        y.append([known[tag] for tag in tags])
    return X, y


def to_ner_tags(labels: Answers | Iterable[Sequence[str]], names: Sequence[str]) -> list[list[int]]:
    """Labels, or those of answers, as numbers of `names`."""
    number: dict[str | None, int] = {name: i for i, name in enumerate(names)}
    found = [sentence.labels for sentence in labels] if isinstance(labels, Answers) else labels
    try:
        return [[number[label] for label in sentence] for sentence in found]
    except KeyError as error:
        raise ValueError(f"expected one of {list(names)}, found {error.args[0]!r}") from None


def annotate(
    model: Model, names: Sequence[str], tokens: str = "tokens", **options: Any
) -> Callable[[Mapping[str, Any]], dict[str, list[Any]]]:
    """A function for Dataset.map(..., batched=True): adds ner_tags, and their confidence, a number for each word.

    `options` are those of Model.tag().
    """

    def answer(batch: Mapping[str, Any]) -> dict[str, list[Any]]:
        answers = model.tag(batch[tokens], **options)
        return {
            "ner_tags": to_ner_tags(answers, names),
            "confidence": [[word.confidence for word in sentence] for sentence in answers],
        }

    return answer
