"""What is known of answers, as the library takes it: a label, or a head and a relation, for each word of all sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

# Of a sentence: something for every word, None where nothing is known; or what is known by the number of its word.
Known = Iterable[Sequence[Any] | Mapping[int, Any] | None]
Flat = tuple[tuple[str | None, ...] | None, tuple[int | None, ...] | None]


def _of_words(known: Sequence[Any] | Mapping[int, Any] | None, words: int, number: int) -> Iterator[Any]:
    if known is None:
        known = {}
    if isinstance(known, Mapping):
        for at in known:
            if not isinstance(at, int) or not 0 <= at < words:
                expected = f"expected words from 0 to {words - 1} that are known"
                raise ValueError(f"sentence {number}: {expected}, found {at!r}")
        return (known.get(at) for at in range(words))
    if isinstance(known, str) or len(known) != words:
        raise ValueError(f"sentence {number}: expected what is known of {words} words, found {known!r}")
    return iter(known)


def _arc(known: Any) -> tuple[int | None, str | None]:
    """The head and the relation of a word."""
    if known is None or isinstance(known, int):
        return known, None
    if isinstance(known, str):
        return None, known
    head, relation = known
    return head, relation


def flat(known: Known, lengths: Sequence[int], trees: bool) -> Flat:
    """Labels and heads of all words; None for those that answers do not have."""
    rows = list(known)
    if len(rows) != len(lengths):
        raise ValueError(f"expected what is known of {len(lengths)} sentences, found {len(rows)}")
    words = [
        word for number, (row, length) in enumerate(zip(rows, lengths), 1) for word in _of_words(row, length, number)
    ]
    if not trees:
        return tuple(words), None
    arcs = [_arc(word) for word in words]
    return tuple(relation for _, relation in arcs), tuple(head for head, _ in arcs)
