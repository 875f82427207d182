"""Relations of the arcs that a judge has chosen, by scores of every relation of every arc.

The scores of a sentence are [N + 1, N + 1, R], laid out as those of its arcs are. Once there is a head for each word,
its row of R scores is found, and the rows of a sentence are a chain without transitions: a judge of labels answers it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._answers import Source
from ._buffers import Array, has_buffer, shape_error
from ._scores import Layout, SentenceScores

if TYPE_CHECKING:
    from ._judge import Judge


# What is asked of relations as well as of arcs.
_OF_RELATIONS = ("confidence", "draws", "raw", "threshold")


class _Block:
    """The scores of one sentence, in an array of its own or in one that is padded."""

    def __init__(self, scores: Array, what: str, first: int, between: int, sets: int) -> None:
        self._scores = scores
        self._first = first
        self._between = between  # numbers from one set to the next
        self._sets = sets
        self._side, other, self.width = scores.shape[-3:]
        if self._side != other:
            raise shape_error(what, "of as many rows as columns, and R relations for each", scores.shape)

    def rows(self, layout: Layout, heads: Sequence[int], chosen: Sequence[int], what: str) -> SentenceScores:
        """Those of the words that are `chosen`, from 1, as the scores of a chain."""
        if len(heads) + layout.extra > self._side:
            raise ValueError(f"{what}: expected {len(heads) + layout.extra} rows, as its arcs have, found {self._side}")
        places = [self._place(layout, heads[word - 1], word) for word in chosen]
        starts = (self._first + k * self._between for k in range(self._sets))
        pieces = tuple(self._scores.part(start + at * self.width, self.width) for start in starts for at in places)
        return len(chosen), self.width, self._sets, pieces, None

    def _place(self, layout: Layout, head: int, word: int) -> int:
        if layout.diagonal:
            head, word = (head or word) - 1, word - 1
        return head * self._side + word if layout.heads_first else word * self._side + head


def _blocks(given: Any, count: int) -> list[_Block]:
    """Scores of `count` sentences: a list of arrays, or one array [S, L, L, R] or [K, S, L, L, R]."""
    if has_buffer(given) or hasattr(given, "__array__"):
        scores = Array(given, "relations")
        if len(scores.shape) not in (4, 5) or scores.shape[-4] != count:
            raise shape_error("relations", f"[S, L, L, R] or [K, S, L, L, R] of {count} sentences", scores.shape)
        _, rows, columns, width = scores.shape[-4:]
        size = rows * columns * width
        sets = scores.shape[0] if len(scores.shape) == 5 else 1
        return [_Block(scores, "relations", i * size, count * size, sets) for i in range(count)]
    blocks = []
    for number, item in enumerate(given, 1):
        what = f"relations of sentence {number}"
        scores = Array(item, what)
        if len(scores.shape) not in (3, 4):
            raise shape_error(what, "[N+1, N+1, R] or [K, N+1, N+1, R]", scores.shape)
        rows, columns, width = scores.shape[-3:]
        sets = scores.shape[0] if len(scores.shape) == 4 else 1
        blocks.append(_Block(scores, what, 0, rows * columns * width, sets))
    if len(blocks) != count:
        raise ValueError(f"relations: expected arrays for {count} sentences, found {len(blocks)}")
    return blocks


def heads_of(source: Source) -> list[list[int]]:
    """The heads of every sentence."""
    bounds, heads = source.column("offsets").tolist(), source.column("head").tolist()
    return [heads[first:end] for first, end in zip(bounds, bounds[1:])]


def relation_rows(
    given: Any, layout: Layout, heads: Sequence[Sequence[int]], chosen: Sequence[Sequence[int]]
) -> list[SentenceScores]:
    """The scores of the relations of these arcs, for words that are chosen."""
    blocks = _blocks(given, len(heads))
    return [
        block.rows(layout, row, words, f"relations of sentence {i}")
        for i, (block, row, words) in enumerate(zip(blocks, heads, chosen), 1)
    ]


def answer_relations(
    judge: Judge, arcs: Source, given: Any, layout: Layout, threads: int, options: dict[str, Any]
) -> WithRelations:
    """Trees with their relations."""
    heads = heads_of(arcs)
    rows = relation_rows(given, layout, heads, [range(1, len(row) + 1) for row in heads])
    asked = {name: value for name, value in options.items() if name in _OF_RELATIONS}
    return WithRelations(arcs, judge._asking(asked).answer(tuple(rows), None, threads))


class WithRelations:
    """Trees whose labels are the answers of another judge."""

    def __init__(self, arcs: Source, relations: Source) -> None:
        self._arcs = arcs
        self._relations = relations

    @property
    def names(self) -> tuple[str, ...]:
        return self._relations.names

    @property
    def methods(self) -> tuple[tuple[str, bool], ...]:
        return self._arcs.methods

    @property
    def trees(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self._arcs)

    def column(self, name: str, method: int = 0, /) -> Any:
        if name == "label":
            return self._relations.column(name)
        if name == "relation_confidence":
            known = [one for one, _ in self._relations.methods]
            asked = self.methods[method][0]
            return self._relations.column("confidence", known.index(asked) if asked in known else 0)
        if name == "doubtful":
            both = zip(self._arcs.column(name), self._relations.column(name))
            return memoryview(array("B", (head | relation for head, relation in both)))
        return self._arcs.column(name, method)

    def labels_of(self, sentence: int, /) -> list[str | None]:
        return self._relations.labels_of(sentence)

    def forms_of(self, sentence: int, /) -> list[str | None]:
        return self._arcs.forms_of(sentence)
