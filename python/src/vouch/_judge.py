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
from array import array
from collections.abc import Iterable, Sequence
from operator import index
from pathlib import Path
from typing import Any, overload

from . import _core
from ._answers import Answers
from ._calls import watched
from ._corpus import StrPath

# What vouch._core takes of a sentence: words, labels, sets, scores, scores of pairs of labels.
_Pieces = tuple[Any, ...]
_Sentence = tuple[int, int, int, _Pieces, _Pieces | None]
_Asked = tuple[str | None, int, int, bool]


class _Array:
    """An array in one piece, with its shape."""

    def __init__(self, given: Any, what: str) -> None:
        view = _view(given, what)
        self.shape: tuple[int, ...] = tuple(view.shape or ())
        # Views of float16 cannot be made; vouch._core takes its bits instead.
        self.flat: Any
        self.format: str = "H" if view.format == "e" else view.format
        if 0 in self.shape:
            self.flat = memoryview(array("f"))
        elif view.c_contiguous:
            self.flat = view.cast("B").cast(self.format)
        else:
            self.flat = _cast(view.tobytes(), self.format)

    def part(self, first: int, count: int) -> Any:
        return self.flat[first : first + count]


def _cast(data: bytes, kind: str) -> Any:
    view: Any = memoryview(data)
    return view.cast(kind)


def _flat_list(given: Any, what: str, to: array[float]) -> tuple[int, ...]:
    """Appends the numbers of nested lists, and returns their shape."""
    if not isinstance(given, (list, tuple)):
        to.append(given)
        return ()
    shapes = {_flat_list(item, what, to) for item in given}
    if len(shapes) > 1:
        raise ValueError(f"{what}: expected lists of the same length, found {sorted(shapes)}")
    return (len(given), *(shapes.pop() if shapes else ()))


def _view(given: Any, what: str) -> Any:
    if isinstance(given, (list, tuple)):
        numbers = array("d")
        try:
            shape = _flat_list(given, what, numbers)
        except TypeError as error:
            raise TypeError(f"{what}: expected lists of numbers: {error}") from None
        return memoryview(numbers).cast("B").cast("d", shape) if len(numbers) else memoryview(numbers)
    if hasattr(given, "detach"):  # a tensor of torch, whose bfloat16 numpy does not have
        given = given.detach().cpu()
        given = (given.float() if str(given.dtype) == "torch.bfloat16" else given).numpy()
    elif str(getattr(given, "dtype", "")) == "bfloat16":
        given = given.astype("float32")
    elif hasattr(given, "__array__") and not _has_buffer(given):
        given = given.__array__()
    try:
        view = memoryview(given)
    except (TypeError, ValueError, BufferError) as error:
        raise TypeError(f"{what}: expected an array of numbers, found {type(given)!r}: {error}") from None
    if view.format not in ("e", "f", "d"):
        raise TypeError(
            f"{what}: expected float16, float32 or float64 in this machine's byte order, found format {view.format!r}"
        )
    return view


def _has_buffer(given: Any) -> bool:
    try:
        memoryview(given)
    except (TypeError, ValueError, BufferError):
        return False
    return True


def _shape_error(what: str, expected: str, shape: tuple[int, ...]) -> ValueError:
    return ValueError(f"{what}: expected an array {expected}, found {list(shape)}")


class _Layout:
    """How scores are cut into sentences: one sentence is rows first .. first + count - 1 of every set."""

    def __init__(self, trees: bool, heads_first: bool) -> None:
        self.trees = trees
        self.heads_first = heads_first

    def one(self, given: Any, what: str) -> _Sentence:
        """A sentence whose scores are an array of its own."""
        scores = _Array(given, what)
        if len(scores.shape) not in (2, 3):
            expected = "[N+1, N+1] or [K, N+1, N+1]" if self.trees else "[N, Y] or [K, N, Y]"
            raise _shape_error(what, expected, scores.shape)
        sets = scores.shape[0] if len(scores.shape) == 3 else 1
        rows, width = scores.shape[-2:]
        if self.trees:
            return self._tree(scores, what, 0, sets, rows * width, rows - 1)
        return rows, width, sets, (scores.flat,), None

    def packed(self, given: Any, offsets: Sequence[int]) -> list[_Sentence]:
        """All sentences, one behind the other: [T, Y] or [K, T, Y]."""
        scores = _Array(given, "scores")
        if self.trees or len(scores.shape) not in (2, 3):
            raise _shape_error("scores", "[T, Y] or [K, T, Y] with offsets", scores.shape)
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

    def padded(self, given: Any, lengths: Sequence[int]) -> list[_Sentence]:
        """All sentences at the same length: [S, L, Y] or [K, S, L, Y]; trees [S, L, L] or [K, S, L, L]."""
        scores = _Array(given, "scores")
        expected = "[S, L, L] or [K, S, L, L]" if self.trees else "[S, L, Y] or [K, S, L, Y]"
        if len(scores.shape) not in (3, 4) or len(lengths) != scores.shape[-3]:
            raise _shape_error("scores", f"{expected} with {len(lengths)} lengths", scores.shape)
        sets = scores.shape[0] if len(scores.shape) == 4 else 1
        count, rows, width = scores.shape[-3:]
        sentences: list[_Sentence] = []
        for s, length in enumerate(map(index, lengths)):
            if not 0 <= length <= rows - self.trees:
                raise ValueError(f"lengths: expected numbers from 0 to {rows - self.trees}, found {length}")
            if self.trees:
                sentences.append(
                    self._tree(scores, "scores", s * rows * width, sets, count * rows * width, length)
                )
            else:
                starts = [(k * count + s) * rows * width for k in range(sets)]
                sentences.append((length, width, sets, tuple(scores.part(at, length * width) for at in starts), None))
        return sentences

    def _tree(self, scores: _Array, what: str, first: int, sets: int, between: int, words: int) -> _Sentence:
        """The arcs of `words` words in square arrays that begin at `first`, and `between` numbers after that."""
        rows, width = scores.shape[-2:]
        if rows != width or rows == 0:
            raise _shape_error(what, "of as many rows as columns, one more than words", scores.shape)
        pieces: list[Any] = []
        for start in (first + k * between for k in range(sets)):
            if self.heads_first and words + 1 == width:
                pieces.append(scores.part(start, rows * width))
            elif self.heads_first:
                pieces += [scores.part(start + h * width, words + 1) for h in range(words + 1)]
            else:
                pieces += [
                    _cast(scores.flat[start + h : start + (words + 1) * width : width].tobytes(), scores.format)
                    for h in range(words + 1)
                ]
        return words, 0, sets, tuple(pieces), None


def _sentences(
    scores: Any, offsets: Sequence[int] | None, lengths: Sequence[int] | None, trees: bool, heads_first: bool
) -> list[_Sentence]:
    layout = _Layout(trees, heads_first)
    if offsets is not None and lengths is not None:
        raise ValueError("expected offsets or lengths, found both")
    if offsets is not None:
        return layout.packed(scores, offsets)
    if lengths is not None:
        return layout.padded(scores, lengths)
    if isinstance(scores, (str, bytes, dict)) or not isinstance(scores, Iterable):
        raise TypeError(f"scores: expected an array or a list of arrays, found {type(scores)!r}")
    if _has_buffer(scores) or hasattr(scores, "__array__"):
        if len(_Array(scores, "scores").shape) != 2:
            raise ValueError(
                "scores: expected a list of arrays, one a sentence; or offsets, if all words are in one array; or "
                "lengths, if sentences are padded"
            )
        return [layout.one(scores, "scores")]
    return [layout.one(item, f"sentence {i}") for i, item in enumerate(scores, 1)]


def _with_edges(sentences: list[_Sentence], edges: Iterable[Any]) -> list[_Sentence]:
    """Sentences with scores of pairs of labels of their own: [N-1, Y, Y] or [K, N-1, Y, Y] for each."""
    given = [_Array(item, f"transitions of sentence {i}") for i, item in enumerate(edges, 1)]
    if len(given) != len(sentences):
        raise ValueError(f"transitions: expected arrays for {len(sentences)} sentences, found {len(given)}")
    return [(*sentence[:4], (edge.flat,)) for sentence, edge in zip(sentences, given)]


def _per_sentence(transitions: Any) -> bool:
    """Whether it is a list of arrays [N-1, Y, Y] or [K, N-1, Y, Y], one a sentence."""
    if not isinstance(transitions, (list, tuple)) or not transitions:
        return False
    return len(_Array(transitions[0], "transitions").shape) >= 3


class Judge:
    """Answers scores, and tells how far each answer can be trusted. It never changes, and threads may share it.

    labels          the Y labels, in the order of the scores; None with trees=True
    trees           scores are those of arcs; with heads_first=False, row m, column h is the arc from h to m
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
        self.labels = None if labels is None else tuple(labels)
        core = _core.judge(
            self.labels, _names(confidence), alternatives, sets, best, draws, c, s, seed, scheme, constraints, raw
        )
        self._set(core, sets, transitions, heads_first, (_names(confidence), alternatives, 0, raw))

    def _set(self, core: _core.Judge, sets: int, transitions: Any, heads_first: bool, asked: _Asked) -> None:
        self._core = core
        self._asked = asked  # what is not in the JSON: confidence, alternatives, draws, raw
        self.sets = sets
        self.heads_first = heads_first
        self.transitions = transitions
        if transitions is not None and self.labels is None:
            raise TypeError("transitions are for labels, not for trees")

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
    ) -> tuple[tuple[_Sentence, ...], _Pieces | None]:
        sentences = _sentences(scores, offsets, lengths, self.trees, self.heads_first)
        transitions = self.transitions if transitions is None else transitions
        if transitions is None or self.labels is None:
            return tuple(sentences), None
        if _per_sentence(transitions):
            return tuple(_with_edges(sentences, transitions)), None
        edge, square = _Array(transitions, "transitions"), (len(self.labels),) * 2
        if edge.shape not in (square, (self.sets, *square)):
            raise _shape_error("transitions", f"{[*square]} or {[self.sets, *square]}", edge.shape)
        repeated = self.sets if len(edge.shape) == 2 else 1
        return tuple(sentences), (edge.flat,) * repeated

    def answer(
        self,
        scores: Any,
        offsets: Sequence[int] | None = None,
        lengths: Sequence[int] | None = None,
        transitions: Any = None,
    ) -> Answers:
        """The best answer to each sentence, with its confidence.

        `scores` is a list of arrays, one a sentence; or all words in one array [T, Y] or [K, T, Y] with `offsets`,
        where sentence i is rows offsets[i] up to offsets[i + 1] - 1; or sentences padded to one length, [S, L, Y] or
        [K, S, L, Y], with `lengths`. `transitions` replaces those of the judge; it may also be a list of arrays
        [N-1, Y, Y].
        """
        return Answers(self._core.answer(*self._pieces(scores, offsets, lengths, transitions)))

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
        core = watched(self._core.calibrate, progress, sentences, edge, right, threads)
        return self._like(core)

    def _like(self, core: _core.Judge) -> Judge:
        judge = Judge.__new__(Judge)
        judge.labels = self.labels
        judge._set(core, self.sets, self.transitions, self.heads_first, self._asked)
        return judge

    def to_json(self) -> str:
        """The judge as text, calibration included, without transitions."""
        return self._core.json

    def save(self, path: StrPath) -> None:
        """Writes the judge to a file, which appears whole or not at all. Transitions are scores, and not kept."""
        target = Path(path)
        part = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            part.write_text(self.to_json() + "\n", encoding="utf-8")
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)

    @classmethod
    def from_json(
        cls,
        text: str,
        transitions: Any = None,
        confidence: str | Iterable[str] | None = None,
        alternatives: int = 0,
        draws: int = 0,
        raw: bool = False,
        heads_first: bool = True,
    ) -> Judge:
        """Makes a judge of what to_json() returned."""
        labels, sets = _described(text)
        core = _core.judge_from_json(
            text, len(labels or ()), sets, _names(confidence), alternatives, draws, raw
        )
        judge = cls.__new__(cls)
        judge.labels = labels
        judge._set(core, sets, transitions, heads_first, (_names(confidence), alternatives, draws, raw))
        return judge

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _judge_again, (self.to_json(), self.transitions, self.heads_first, self._asked)

    def __repr__(self) -> str:
        what = "trees" if self.labels is None else f"{len(self.labels)} labels"
        return f"<vouch.Judge: {what}{', calibrated' if self.calibrated else ''}>"


def _judge_again(text: str, transitions: Any, heads_first: bool, asked: _Asked) -> Judge:
    """Makes a judge that was pickled."""
    confidence, alternatives, draws, raw = asked
    return Judge.from_json(text, transitions, confidence, alternatives, draws, raw, heads_first)


def _names(confidence: str | Iterable[str] | None) -> str | None:
    return confidence if confidence is None or isinstance(confidence, str) else ",".join(confidence)


def _described(text: str) -> tuple[tuple[str, ...] | None, int]:
    """The labels and the number of sets in the JSON of a judge. What is wrong in it, the library will say."""
    try:
        header = json.loads(text)
        labels, sets = header.get("labels"), header["layers"][0]["voices"][0]["sets"]
        return None if labels is None else tuple(map(str, labels)), max(1, int(sets))
    except (ValueError, LookupError, TypeError, AttributeError):
        return None, 1


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
    """Opens a judge that was saved; options as for Judge.from_json()."""
    return Judge.from_json(Path(path).read_text(encoding="utf-8"), **options)


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
    shared = None if _per_sentence(transitions) else transitions
    trees = bool(options.get("trees", False))
    sentences = _sentences(scores, offsets, lengths, trees, options.get("heads_first", True))
    sets = sentences[0][2] if sentences else 1
    made = Judge(labels, sets=sets, transitions=shared, **options)
    if gold is None:
        return made.answer(scores, offsets, lengths, transitions)
    return made.calibrate(scores, gold, offsets, lengths, transitions, threads, progress)
