"""The weights of a model's first voice, by name.

They are read from the text that `vouch dump` prints, which vouch-model(5) describes: lines of strings, then one line
for each feature of words (node) and of label pairs (edge), each followed by its weights in hexadecimal. A model that
has no such weights raises AttributeError: to whoever looks at its properties, they are not there.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ._model import Model


def _lines(model: Model) -> Iterator[list[str]]:
    with tempfile.TemporaryDirectory(prefix="vouch-") as folder:
        path = Path(folder, "dump")
        model._core.dump(path)
        with open(path, encoding="utf-8", newline="\n") as file:
            for line in file:
                yield line.rstrip("\n").split("\t")


def attributes(model: Model) -> dict[tuple[str, str], float]:
    """The weights of (attribute, label); those that are zero are left out."""
    if not model.takes_attributes:
        raise AttributeError("expected a model that learned from features, found one that makes them of words")
    labels, strings = model.labels, [""]
    weights: dict[tuple[str, str], float] = {}
    name: str | None = None
    for kind, *cells in _lines(model):
        if kind == "string":
            strings.append(_unescaped(cells[0]))
        elif kind == "node":
            name = strings[int(cells[1])]
        elif kind == "edge":
            name = None
        elif kind == "mean.0" and name is not None:
            weights.update(((name, label), float.fromhex(w)) for label, w in zip(labels, cells) if float.fromhex(w))
    return weights


def label_pairs(model: Model) -> dict[tuple[str, str], float]:
    """The weights of (label, next label) for pairs whose weight does not depend on the words."""
    labels = model.labels
    kinds: list[str] = []
    for kind, *cells in _lines(model):
        if kind in ("node", "edge"):
            kinds.append(kind)
        if kind == "edge" and len(cells) > 1:
            raise AttributeError("expected weights of label pairs alone, found features of words and pairs")
        if kind == "mean.0" and kinds[-1:] == ["edge"]:
            pairs = ((left, right) for left in labels for right in labels)
            return {pair: float.fromhex(w) for pair, w in zip(pairs, cells)}
    return {}


_ESCAPED = {"\\t": "\t", "\\n": "\n", "\\r": "\r", "\\\\": "\\"}


def _unescaped(text: str) -> str:
    return re.sub(r"\\.", lambda found: _ESCAPED[found.group()], text)
