"""Scores of another program's model as answers, with how far each can be trusted.

The scores of a sentence are an array [N, Y]: how good each of Y labels is for each of N words, as logits,
log-probabilities or margins. Several sets of them, by an ensemble or by passes with dropout, are [K, N, Y]. Trees have
[N + 1, N + 1]: row h, column m is the arc from head h to word m, and 0 is the root; several sets are [K, N + 1, N + 1].

Arrays are anything with a buffer of float16, float32 or float64 (numpy's, array.array, memoryview), tensors of torch,
or nested lists. Float32 in one piece is not copied.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from math import inf
from operator import index
from typing import Any, overload

from . import _core
from ._answers import Answers
from ._buffers import Array, shape_error
from ._calls import watched
from ._corpus import StrPath
from ._scores import Layout, Pieces, SentenceScores, are_per_sentence, sentences_of, with_edges

_MOST_THREADS = 256
_Asked = tuple[str | None, int, int, bool]


class Judge:
    """Answers scores, and tells how far each answer can be trusted. It never changes, and threads may share it.

    labels          the Y labels, in the order of the scores; None with trees=True
    trees           scores are those of arcs
    heads_first     of arcs: row h, column m is the arc from h to m; if False, from m to h
    root            of arcs: "first", the root is node 0; or "diagonal", scores are [N, N], and a word's arc to itself
                    is the one from the root
    sets            K, the number of sets of scores
    transitions     scores of a label (column) after another (row), [Y, Y] or [K, Y, Y]; None: all are 0
    confidence      methods; None: the best, if the judge is calibrated, else gamma
    alternatives    how many of each word to keep
    constraints     only labels that their scheme allows may follow each other; `scheme` is "IOB1", "IOB2", "BIOES" or
                    "none", and None as the labels look
    best, draws, c, s, seed, raw
                    parameters of methods: struct vouch_judge_options in vouch.h

    >>> judge = vouch.Judge(["O", "B-PER", "I-PER"], constraints=True)
    >>> answers = judge.answer([[[0.1, 2.0, 1.9], [0.0, 0.5, 3.0]]])
    >>> answers[0].labels, answers.methods
    (['B-PER', 'I-PER'], ('gamma',))
    """

    def __init__(
        self,
        labels: Iterable[str] | None = None,
        *,
        trees: bool = False,
        heads_first: bool = True,
        root: str = "first",
        sets: int = 1,
        transitions: Any = None,
        confidence: str | Iterable[str] | None = None,
        alternatives: int = 0,
        best: int = 0,
        draws: int = 0,
        c: float = 0,
        s: float = 0,
        seed: int = 0,
        scheme: str | None = None,
        constraints: bool = False,
        raw: bool = False,
    ) -> None:
        if (labels is None) != trees:
            raise TypeError("expected either labels or trees=True")
        if isinstance(labels, (str, bytes)):
            raise TypeError(f"labels: expected a list of str, found {type(labels)!r}")
        if root not in ("first", "diagonal"):
            raise ValueError(f"root: expected 'first' or 'diagonal', found {root!r}")
        if transitions is not None and trees:
            raise TypeError("transitions are for labels, not for trees")
        self.labels = None if labels is None else tuple(labels)
        core = _core.judge(
            self.labels, _names(confidence), alternatives, sets, best, draws, c, s, seed, scheme, constraints, raw
        )
        self.sets = max(1, sets)
        self._lay_out(heads_first, root, transitions)
        self._asked: _Asked = (_names(confidence), alternatives, 0, raw)  # what is not in the JSON
        self._core = self._again(self._header(core.json))

    def _lay_out(self, heads_first: bool, root: str, transitions: Any) -> None:
        """How scores come: what the library needs not know, but a file keeps."""
        self.heads_first = heads_first
        self.root = root
        self._layout = Layout(self.trees, heads_first, root == "diagonal")
        #: [Y][Y], or [K][Y][Y] if they are not the same for all sets; None: all are 0.
        self.transitions: list[Any] | None = None
        self._edge: Pieces | None = None
        if transitions is not None:
            self._edge = self._shared(transitions)
            blocks = [_square(block, len(self.labels or ())) for block in self._edge]
            self.transitions = blocks[0] if all(block == blocks[0] for block in blocks) else blocks

    def _shared(self, transitions: Any) -> Pieces:
        """Transitions of all words as float32, for each set."""
        edge, square = Array(transitions, "transitions"), (len(self.labels or ()),) * 2
        if edge.shape not in (square, (self.sets, *square)):
            raise shape_error("transitions", f"{[*square]} or {[self.sets, *square]}", edge.shape)
        floats, size = edge.floats(), square[0] ** 2
        if not all(x < inf for x in floats):
            raise ValueError("transitions: expected numbers and -inf, found inf or nan")
        return tuple(floats[k * size % len(floats) :][:size] for k in range(self.sets))

    def _header(self, text: str) -> dict[str, Any]:
        """The judge's JSON, with what the library does not need, as `vouch judge` writes it."""
        header: dict[str, Any] = {**json.loads(text), "version": _core.version()}
        header.pop("transitions", None)
        if self.trees:
            order = "head-first" if self.heads_first else "modifier-first"
            header["arcs"] = {"order": order, "root": self.root}
        if self.transitions is not None:
            header["transitions"] = _each(self.transitions, lambda x: None if x == -inf else x)
        return header

    def _again(self, header: dict[str, Any]) -> _core.Judge:
        return _core.judge_from_json(json.dumps(header, ensure_ascii=False), self.labels, self.sets, *self._asked)

    @property
    def trees(self) -> bool:
        """Whether answers are trees."""
        return self.labels is None

    @property
    def calibrated(self) -> bool:
        """Whether all its numbers are probabilities of being right."""
        return self._core.is_calibrated

    def _pieces(
        self, scores: Any, offsets: Sequence[int] | None, lengths: Sequence[int] | None, transitions: Any
    ) -> tuple[tuple[SentenceScores, ...], Pieces | None]:
        sentences = sentences_of(self._layout, scores, offsets, lengths)
        if transitions is None or self.trees:
            return tuple(sentences), self._edge
        if are_per_sentence(transitions):
            return tuple(with_edges(sentences, transitions)), None
        return tuple(sentences), self._shared(transitions)

    def answer(
        self,
        scores: Any,
        offsets: Sequence[int] | None = None,
        lengths: Sequence[int] | None = None,
        transitions: Any = None,
        threads: int = 1,
    ) -> Answers:
        """The best answer to each sentence, with its confidence.

        `scores` is a list of arrays, one a sentence; or all words in one array [T, Y] or [K, T, Y] with `offsets`,
        where sentence i is rows offsets[i] up to offsets[i + 1] - 1; or sentences padded to one length, [S, L, Y] or
        [K, S, L, Y], with `lengths`. `transitions` replaces those of the judge; it may also be a list of arrays
        [N-1, Y, Y]. Answers are the same whatever the `threads`.
        """
        pieces = self._pieces(scores, offsets, lengths, transitions)
        return Answers(self._core.answer(*pieces, _checked(threads)))

    __call__ = answer

    def calibrate(
        self,
        scores: Any,
        gold: Any,
        offsets: Sequence[int] | None = None,
        lengths: Sequence[int] | None = None,
        transitions: Any = None,
        threads: int = 1,
        progress: object = None,
    ) -> Judge:
        """A judge whose numbers are probabilities, found on sentences that the model of the scores did not learn from.

        `gold` has the labels of each sentence, as str or as numbers from 0, or its heads, 0 for the root; or those of
        all words, with `offsets`.
        """
        sentences, edge = self._pieces(scores, offsets, lengths, transitions)
        right = _gold(gold, [words for words, *_ in sentences], self.labels)
        core = watched(self._core.calibrate, progress, sentences, edge, right, _checked(threads))
        return self._like(core)

    def _like(self, core: _core.Judge) -> Judge:
        judge = Judge.__new__(Judge)
        judge.__dict__.update(self.__dict__, _core=core)
        return judge

    def to_json(self) -> str:
        """The judge as text, calibration and transitions included."""
        return self._core.json

    def save(self, path: StrPath) -> None:
        """Writes the judge to a file, which appears whole or not at all: a model, as `vouch judge -o` makes it.

        `vouch judge -m`, `vouch tag --scores` and the like take it. It keeps the transitions.
        """
        self._core.save(path)

    @classmethod
    def from_json(
        cls,
        text: str,
        transitions: Any = None,
        confidence: str | Iterable[str] | None = None,
        alternatives: int = 0,
        draws: int = 0,
        raw: bool = False,
    ) -> Judge:
        """Makes a judge of what to_json() returned. `transitions` replaces those that it keeps."""
        judge = cls.__new__(cls)
        judge._asked = (_names(confidence), alternatives, draws, raw)
        judge.labels, judge.sets, heads_first, root, kept = _described(text)
        judge._core = _core.judge_from_json(text, judge.labels, judge.sets, *judge._asked)
        judge._lay_out(heads_first, root, kept if transitions is None else transitions)
        if transitions is not None:
            judge._core = judge._again(judge._header(text))
        return judge

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return Judge.from_json, (self.to_json(), None, *self._asked)

    def __repr__(self) -> str:
        what = "trees" if self.labels is None else f"{len(self.labels)} labels"
        return f"<vouch.Judge: {what}{', calibrated' if self.calibrated else ''}>"


def _names(confidence: str | Iterable[str] | None) -> str | None:
    return confidence if confidence is None or isinstance(confidence, str) else ",".join(confidence)


def _checked(threads: int) -> int:
    if not 1 <= index(threads) <= _MOST_THREADS:
        raise ValueError(f"threads: expected a number from 1 to {_MOST_THREADS}, found {threads}")
    return index(threads)


def _square(floats: Sequence[float], size: int) -> list[list[float]]:
    return [list(floats[y * size : (y + 1) * size]) for y in range(size)]


def _each(nested: Any, change: Callable[[Any], Any]) -> Any:
    """Nested lists, with every number changed."""
    return [_each(item, change) for item in nested] if isinstance(nested, list) else change(nested)


def _described(text: str) -> tuple[tuple[str, ...] | None, int, bool, str, list[Any] | None]:
    """Labels, sets, order of arcs, root and transitions in a judge's JSON. The library says what is wrong in it.

    Transitions are a list of rows, or one for each set; those of each word come with the scores, which the JSON says by
    the text "words".
    """
    try:
        header = json.loads(text)
        labels, sets = header.get("labels"), header["layers"][0]["voices"][0]["sets"]
        arcs = {"order": "head-first", "root": "first", **header.get("arcs", {})}
        kept = header.get("transitions")
        kept = _each(kept, lambda x: -inf if x is None else float(x)) if isinstance(kept, list) else None
        named = None if labels is None else tuple(map(str, labels))
        return named, max(1, int(sets)), arcs["order"] == "head-first", str(arcs["root"]), kept
    except (ValueError, LookupError, TypeError, AttributeError):
        return None, 1, True, "first", None


def _gold(gold: Any, lengths: list[int], labels: tuple[str, ...] | None) -> tuple[tuple[str | int, ...], ...]:
    """The right answers as tuples of labels or of heads, one a sentence."""
    rows = list(gold)
    if rows and (isinstance(rows[0], str) or not isinstance(rows[0], Iterable)):
        if len(rows) != sum(lengths):
            raise ValueError(f"gold: expected {sum(lengths)} words, as scores have, found {len(rows)}")
        flat = iter(rows)
        rows = [[next(flat) for _ in range(length)] for length in lengths]
    if len(rows) != len(lengths):
        raise ValueError(f"gold: expected {len(lengths)} sentences, as scores have, found {len(rows)}")
    return tuple(_gold_row(row, i, length, labels) for i, (row, length) in enumerate(zip(rows, lengths), 1))


def _gold_row(row: Iterable[Any], number: int, length: int, labels: tuple[str, ...] | None) -> tuple[str | int, ...]:
    given = list(row)
    padded = hasattr(row, "shape") and len(given) > length
    if len(given) != length and not padded:
        raise ValueError(f"gold of sentence {number}: expected {length} words, as scores have, found {len(given)}")
    if labels is None:
        return tuple(map(index, given[:length]))
    named: list[str] = []
    for item in given[:length]:
        if isinstance(item, str):
            named.append(item)
        elif 0 <= index(item) < len(labels):
            named.append(labels[index(item)])
        else:
            raise ValueError(f"gold of sentence {number}: expected labels from 0 to {len(labels) - 1}, found {item}")
    return tuple(named)


def load_judge(path: StrPath, **options: Any) -> Judge:
    """Opens a judge that was saved, here or by `vouch judge -o`; options as for Judge.from_json()."""
    name = os.fspath(path)
    try:
        text = _core.judge_file(name)
    except OSError:
        with open(name, "rb"):  # says more exactly what is wrong
            raise
    return Judge.from_json(text, **options)


@overload
def judge(scores: Any, labels: Iterable[str] | None = ..., gold: None = ..., **options: Any) -> Answers: ...
@overload
def judge(scores: Any, labels: Iterable[str] | None, gold: Iterable[Any], **options: Any) -> Judge: ...
@overload
def judge(scores: Any, labels: Iterable[str] | None = ..., *, gold: Iterable[Any], **options: Any) -> Judge: ...
def judge(
    scores: Any,
    labels: Iterable[str] | None = None,
    gold: Iterable[Any] | None = None,
    *,
    offsets: Sequence[int] | None = None,
    lengths: Sequence[int] | None = None,
    transitions: Any = None,
    threads: int = 1,
    progress: object = None,
    **options: Any,
) -> Answers | Judge:
    """The answers by scores; or, with `gold`, a calibrated Judge of further scores of the same model.

    Scores are as for Judge.answer(), options as for Judge. K is the number of sets that the scores have.

    >>> vouch.judge([[[0.1, 2.0], [3.0, 0.5]]], ["O", "B-PER"])[0].labels
    ['B-PER', 'O']
    """
    shared = None if are_per_sentence(transitions) else transitions
    trees = bool(options.get("trees", False))
    layout = Layout(trees, options.get("heads_first", True), options.get("root", "first") == "diagonal")
    sentences = sentences_of(layout, scores, offsets, lengths)
    sets = sentences[0][2] if sentences else 1
    made = Judge(labels, sets=sets, transitions=shared, **options)
    if gold is None:
        return made.answer(scores, offsets, lengths, transitions, threads)
    return made.calibrate(scores, gold, offsets, lengths, transitions, threads, progress)
