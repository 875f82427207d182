"""Scores as vouch._core takes them: cut into sentences, whatever shape they came in. See vouch._judge."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from operator import index
from typing import Any

from ._buffers import Array, cast, has_buffer, shape_error

# What vouch._core takes of a sentence: words, labels, sets, scores, scores of pairs of labels.
Pieces = tuple[Any, ...]
SentenceScores = tuple[int, int, int, Pieces, Pieces | None]


class Layout:
    """How scores are cut into sentences: one sentence is rows first .. first + count - 1 of every set."""

    def __init__(self, trees: bool, heads_first: bool, diagonal: bool) -> None:
        self.trees = trees
        self.heads_first = heads_first
        self.diagonal = diagonal  # a word's arc to itself is the one from the root
        self.extra = int(trees and not diagonal)  # the row and the column of the root

    def one(self, given: Any, what: str) -> SentenceScores:
        """A sentence whose scores are an array of its own."""
        scores = Array(given, what)
        if len(scores.shape) not in (2, 3):
            nodes = "N+1" if self.extra else "N"
            expected = f"[{nodes}, {nodes}] or [K, {nodes}, {nodes}]" if self.trees else "[N, Y] or [K, N, Y]"
            raise shape_error(what, expected, scores.shape)
        sets = scores.shape[0] if len(scores.shape) == 3 else 1
        rows, width = scores.shape[-2:]
        if self.trees:
            return self._tree(scores, what, 0, sets, rows * width, rows - self.extra)
        return rows, width, sets, (scores.flat,), None

    def packed(self, given: Any, offsets: Sequence[int]) -> list[SentenceScores]:
        """All sentences, one behind the other: [T, Y] or [K, T, Y]."""
        scores = Array(given, "scores")
        if self.trees or len(scores.shape) not in (2, 3):
            raise shape_error("scores", "[T, Y] or [K, T, Y] with offsets", scores.shape)
        sets = scores.shape[0] if len(scores.shape) == 3 else 1
        words, width = scores.shape[-2:]
        bounds = [index(offset) for offset in offsets]
        if not bounds or bounds[0] != 0 or bounds[-1] != words or sorted(bounds) != bounds:
            raise ValueError(f"offsets: expected numbers that rise from 0 to {words}, the rows of scores")
        return [
            (
                end - first,
                width,
                sets,
                tuple(scores.part((k * words + first) * width, (end - first) * width) for k in range(sets)),
                None,
            )
            for first, end in zip(bounds, bounds[1:])
        ]

    def padded(self, given: Any, lengths: Sequence[int]) -> list[SentenceScores]:
        """All sentences at the same length: [S, L, Y] or [K, S, L, Y]; trees [S, L, L] or [K, S, L, L]."""
        scores = Array(given, "scores")
        expected = "[S, L, L] or [K, S, L, L]" if self.trees else "[S, L, Y] or [K, S, L, Y]"
        if len(scores.shape) not in (3, 4) or len(lengths) != scores.shape[-3]:
            raise shape_error("scores", f"{expected} with {len(lengths)} lengths", scores.shape)
        sets = scores.shape[0] if len(scores.shape) == 4 else 1
        count, rows, width = scores.shape[-3:]
        sentences: list[SentenceScores] = []
        for s, length in enumerate(map(index, lengths)):
            if not 0 <= length <= rows - self.extra:
                raise ValueError(f"lengths: expected numbers from 0 to {rows - self.extra}, found {length}")
            if self.trees:
                sentences.append(
                    self._tree(scores, "scores", s * rows * width, sets, count * rows * width, length)
                )
            else:
                starts = [(k * count + s) * rows * width for k in range(sets)]
                sentences.append((length, width, sets, tuple(scores.part(at, length * width) for at in starts), None))
        return sentences

    def _tree(self, scores: Array, what: str, first: int, sets: int, between: int, words: int) -> SentenceScores:
        """The arcs of `words` words in square arrays that begin at `first`, and `between` numbers after that."""
        rows, width = scores.shape[-2:]
        if rows != width or rows < self.extra:
            raise shape_error(what, "of as many rows as columns" + ", one more than words" * self.extra, scores.shape)
        pieces: list[Any] = []
        for start in (first + k * between for k in range(sets)):
            if self.heads_first and self.extra and words + 1 == width:
                pieces.append(scores.part(start, rows * width))
            else:
                pieces += self._rows(scores, start, width, words)
        return words, 0, sets, tuple(pieces), None

    def _rows(self, scores: Array, start: int, width: int, words: int) -> list[Any]:
        """The same in one of them, a row for each head, the root first."""
        nodes = words + self.extra
        if self.heads_first:
            heads = [scores.part(start + h * width, nodes) for h in range(nodes)]
        else:
            heads = [_every(scores, start + h, start + nodes * width, width) for h in range(nodes)]
        if not self.diagonal:
            return heads
        # Arcs to the root, in column 0, are ignored.
        arcs = [_every(scores, start, start + words * width, width + 1), *heads]
        return [piece for row in arcs for piece in (_ZERO, row)]


_ZERO = memoryview(array("f", [0]))


def _every(scores: Array, first: int, end: int, step: int) -> Any:
    return cast(scores.flat[first:end:step].tobytes(), scores.format)


def sentences_of(
    layout: Layout, scores: Any, offsets: Sequence[int] | None, lengths: Sequence[int] | None
) -> list[SentenceScores]:
    """Scores of any shape, sentence by sentence: see Judge.answer()."""
    if offsets is not None and lengths is not None:
        raise ValueError("expected offsets or lengths, found both")
    if offsets is not None:
        return layout.packed(scores, offsets)
    if lengths is not None:
        return layout.padded(scores, lengths)
    if isinstance(scores, (str, bytes, dict)) or not isinstance(scores, Iterable):
        raise TypeError(f"scores: expected an array or a list of arrays, found {type(scores)!r}")
    if has_buffer(scores) or hasattr(scores, "__array__"):
        if not layout.trees or len(Array(scores, "scores").shape) != 2:
            raise ValueError(
                "scores: expected offsets, where each sentence begins, if all words are in one array; or lengths, if "
                "sentences are padded; or a list of arrays, one a sentence: [scores] if there is only one"
            )
        return [layout.one(scores, "scores")]
    return [layout.one(item, f"sentence {i}") for i, item in enumerate(scores, 1)]


def with_edges(sentences: list[SentenceScores], edges: Iterable[Any]) -> list[SentenceScores]:
    """Sentences with scores of pairs of labels of their own: [N-1, Y, Y] or [K, N-1, Y, Y] for each."""
    given = [Array(item, f"transitions of sentence {i}") for i, item in enumerate(edges, 1)]
    if len(given) != len(sentences):
        raise ValueError(f"transitions: expected arrays for {len(sentences)} sentences, found {len(given)}")
    return [(*sentence[:4], (edge.flat,)) for sentence, edge in zip(sentences, given)]


def are_per_sentence(transitions: Any) -> bool:
    """Whether they are a list of arrays [N-1, Y, Y] or [K, N-1, Y, Y], one a sentence."""
    if not isinstance(transitions, (list, tuple)) or not transitions:
        return False
    return len(Array(transitions[0], "transitions").shape) >= 3
