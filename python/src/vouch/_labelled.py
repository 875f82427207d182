"""Labelled sentences of Python as a file that vouch.train() reads.

Words that are str or tuples of columns become JSON lines; those that are dicts or lists of features become lines of
CRFsuite, under the names that python-crfsuite gives them: {"word": "Ada", "title": True, "-1": {"pos": "NN"}} is
"word:Ada", "title" and "-1:pos:NN". A feature whose value is 0 or False adds nothing to any score and is left out.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Sentences = Sequence[Sequence[Any]]
Labels = Sequence[Sequence[str]]


def takes_features(sentences: Sentences) -> bool:
    """Whether the words are features, ready made; else they are text."""
    first = next((word for sentence in sentences for word in sentence), None)
    return isinstance(first, (Mapping, list, set, frozenset))


def write(path: str | os.PathLike[str], sentences: Sentences, labels: Labels) -> None:
    """Writes sentences with their labels, one for each word; those without words are left out."""
    if len(sentences) != len(labels):
        raise ValueError(f"expected labels of {len(sentences)} sentences, found those of {len(labels)}")
    line = _Features() if takes_features(sentences) else _text
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for number, (sentence, given) in enumerate(zip(sentences, labels), 1):
            if len(sentence) != len(given):
                raise ValueError(f"sentence {number}: expected {len(sentence)} labels, found {len(given)}")
            for label in given:
                if not isinstance(label, str):
                    raise TypeError(f"sentence {number}: expected labels of str, found {type(label)!r}")
            try:
                if given:
                    file.write(line(sentence, given))
            except TypeError as error:
                raise TypeError(f"sentence {number}: {error}") from None
            except ValueError as error:
                raise ValueError(f"sentence {number}: {error}") from None


def _text(words: Sequence[Any], labels: Sequence[str]) -> str:
    tokens = [word if isinstance(word, str) else list(word) for word in words]
    return json.dumps({"tokens": tokens, "labels": list(labels)}, ensure_ascii=False) + "\n"


def _escaped(name: str) -> str:
    if "\t" in name or "\n" in name or "\r" in name:
        raise ValueError(f"expected names of features and labels without tabs and ends of lines, found {name!r}")
    return name.replace("\\", "\\\\").replace(":", "\\:")


def _field(name: str, value: object) -> str:
    """A feature that is no dict or list; "" if it adds nothing."""
    if isinstance(value, str):
        return _escaped(f"{name}:{value}")
    if not hasattr(value, "__float__") and not hasattr(value, "__index__"):
        raise TypeError(f"feature {name!r}: expected str, bool, number, list of str or dict, found {type(value)!r}")
    number = float(value)  # type: ignore[arg-type]
    if not math.isfinite(number):
        raise ValueError(f"feature {name!r}: expected a finite number, found {number!r}")
    return "" if number == 0 else _escaped(name) if number == 1 else f"{_escaped(name)}:{number!r}"


class _Features:
    """Lines of features. Most come again and again, so their text is kept."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, object], str] = {}

    def __call__(self, words: Sequence[Any], labels: Sequence[str]) -> str:
        lines = ["\t".join([_escaped(label), *self._fields(word)]) for word, label in zip(words, labels)]
        return "\n".join(lines) + "\n\n"

    def _fields(self, word: object) -> list[str]:
        if isinstance(word, Mapping):
            return self._items("", word)
        if isinstance(word, (list, tuple, set, frozenset)):
            return [_escaped(_name(feature)) for feature in word]
        raise TypeError(f"expected a word as dict or list of features, as the first one is, found {type(word)!r}")

    def _items(self, prefix: str, features: Mapping[Any, Any]) -> list[str]:
        fields: list[str] = []
        for key, value in features.items():
            name = prefix + _name(key)
            if isinstance(value, Mapping):
                fields += self._items(f"{name}:", value)
            elif isinstance(value, (list, tuple, set, frozenset)):
                fields += self._several(name, value)
            else:
                field = self._known.get((name, value))
                fields.append(self._learn(name, value) if field is None else field)
        return [field for field in fields if field]

    def _several(self, name: str, values: Iterable[object]) -> list[str]:
        return [_field(name, _name(value)) for value in values]

    def _learn(self, name: str, value: object) -> str:
        field = self._known[name, value] = _field(name, value)
        return field


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"expected str as the name or value of a feature, found {type(name)!r}")
    return name
