"""Labelled sentences of Python as files that the library reads, in memory."""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat
from typing import Any

from . import _core

StrPath = str | os.PathLike[str]
Source = StrPath | Iterable[StrPath] | Iterable[Iterable[Any]]
# None is open, for train(partial=True); beside features of one's own "?" is.
Labels = Iterable[Sequence[str | None]]
Heads = Iterable[Sequence[int | None]]

# Files get the number from here on that is free, so that the header of a model is the same however many are open.
_FIRST_NUMBER = 100


def _pairs(
    sentences: Iterable[Iterable[Any]], answers: Iterable[Any] | None, what: str
) -> Iterator[tuple[list[Any], Any]]:
    """Every sentence with its answer, or None."""
    end: Any = object()
    rest: Iterator[Any] = iter(answers) if answers is not None else repeat(None)
    number = 0
    for number, sentence in enumerate(sentences, 1):
        if isinstance(sentence, (str, bytes, dict)):
            raise TypeError(f"sentence {number}: expected a list of words, found {type(sentence)!r}")
        words = list(sentence)
        answer = next(rest, end)
        if answer is end:
            raise ValueError(f"expected {what} for every sentence, found {number - 1} of them")
        if answer is not None and len(answer) != len(words):
            raise ValueError(f"sentence {number}: expected {len(words)} {what}, one for each word, found {len(answer)}")
        yield words, answer
    if answers is not None and next(rest, end) is not end:
        raise ValueError(f"expected {what} for {number} sentences, found more")


def _split(sentences: Iterable[Iterable[Any]]) -> Iterator[tuple[list[Any], list[Any]]]:
    """Sentences whose words have their labels as the last of their columns."""
    for number, sentence in enumerate(sentences, 1):
        words = list(sentence)
        for at, word in enumerate(words, 1):
            if not isinstance(word, (tuple, list)) or len(word) < 2:
                raise TypeError(
                    f"sentence {number}, word {at}: expected a tuple of columns that ends with the label, or labels as "
                    f"an argument of their own, found {word!r}"
                )
        yield [tuple(word[:-1]) for word in words], [word[-1] for word in words]


def _json_line(number: int, words: list[Any], **answers: Any) -> bytes:
    tokens = [[word] if isinstance(word, str) else list(word) for word in words]
    known = {key: list(value) for key, value in answers.items() if value is not None}
    try:
        return json.dumps({"index": number, "tokens": tokens, **known}, ensure_ascii=False).encode() + b"\n"
    except TypeError as error:
        raise TypeError(f"sentence {number + 1}: expected words and labels of str: {error}") from None


def tagged_lines(sentences: Iterable[Iterable[Any]], labels: Labels | None, gold: bool) -> Iterator[bytes]:
    pairs = _pairs(sentences, labels, "labels") if labels is not None or not gold else _split(sentences)
    for number, (words, answer) in enumerate(pairs):
        yield _json_line(number, words, labels=answer)


def parsed_lines(sentences: Iterable[Iterable[Any]], labels: Labels | None, heads: Heads | None) -> Iterator[bytes]:
    relations = iter(labels) if labels is not None else repeat(None)
    for number, (words, head) in enumerate(_pairs(sentences, heads, "heads")):
        relation = next(relations, None)
        if relation is not None and len(relation) != len(words):
            raise ValueError(f"sentence {number + 1}: expected {len(words)} labels, found {len(relation)}")
        yield _json_line(number, words, heads=head, relations=relation)


def attribute_blocks(sentences: Iterable[Iterable[Any]], labels: Labels | None) -> Iterator[bytes]:
    for words, answer in _pairs(sentences, labels, "labels"):
        yield _core.attribute_lines(words, None if answer is None else tuple(answer))


@contextmanager
def file_of(blocks: Iterable[bytes]) -> Iterator[str]:
    """The path of a file with these bytes, for as long as the block of code runs; in memory if that can be done."""
    if not hasattr(os, "memfd_create") or not os.path.isdir("/proc/self/fd"):
        with tempfile.NamedTemporaryFile(prefix="vouch-") as file:
            file.writelines(blocks)
            file.flush()
            yield file.name
        return
    made = os.memfd_create("vouch", os.MFD_CLOEXEC)
    number = fcntl.fcntl(made, fcntl.F_DUPFD_CLOEXEC, _FIRST_NUMBER)
    try:
        with open(made, "wb") as file:
            file.writelines(blocks)
        yield f"/proc/self/fd/{number}"
    finally:
        os.close(number)


@contextmanager
def files_of(
    source: Source, labels: Labels | None, heads: Heads | None, *, attributes: bool | None, trees: bool, gold: bool
) -> Iterator[tuple[tuple[StrPath, ...], str | None]]:
    """The files that `source` names, or one that holds the sentences that it is, and the latter's format.

    `attributes` tells whether words are features; None: if the first of them is a dict.
    """
    if isinstance(source, (str, os.PathLike)):
        yield (source,), None
        return
    if isinstance(source, (bytes, dict)):
        raise TypeError(f"expected paths of files or sentences, found {type(source)!r}")
    items: list[Any] = list(source)
    if not items:
        raise ValueError("expected sentences, or the paths of files, found none")
    if all(isinstance(item, (str, os.PathLike)) for item in items):
        if labels is not None or heads is not None:
            raise TypeError("labels and heads go with sentences, not with files")
        yield tuple(items), None
        return
    items = [item if isinstance(item, (str, bytes, dict)) else list(item) for item in items]
    if attributes is None:
        attributes = isinstance(next((word for item in items for word in item), None), dict)
    if trees:
        blocks = parsed_lines(items, labels, heads)
    elif heads is not None:
        raise TypeError("heads are for trees: task='dep'")
    elif attributes and (labels is not None or not gold):
        blocks = attribute_blocks(items, labels)
    elif attributes:
        raise TypeError("expected labels as an argument of their own for words that are features")
    else:
        blocks = tagged_lines(items, labels, gold)
    with file_of(blocks) as path:
        yield (path,), "crfsuite" if attributes and not trees else "jsonl"
