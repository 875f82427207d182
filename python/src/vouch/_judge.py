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
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import inf
from operator import index
from typing import Any, NamedTuple, Unpack

from . import _core
from ._answers import Answers, Source
from ._buffers import Array, shape_error
from ._calls import watched
from ._corpus import StrPath
from ._evaluation import Evaluation, evaluation_of
from ._forms import WithWords, with_texts
from ._judge_jobs import Case, model_of, run
from ._keywords import options_of, refuse_unknown
from ._options import JudgeEvaluateOptions, JudgeReviewOptions, JudgeTradeOptions, JudgeTuneOptions
from ._relations import answer_relations, heads_of, relation_rows
from ._scores import Layout, Pieces, SentenceScores, are_per_sentence, sentences_of, with_edges
from ._shares import shares
from ._suspects import Suspects

_MOST_THREADS = 256
_KEPT = 16  # judges for other options


class _Asked(NamedTuple):
    """What is asked of answers, as vouch._core.judge_from_json() takes it; it is not in the JSON."""

    methods: str | None = None
    alternatives: int = 0
    draws: int = 0
    raw: bool = False
    threshold: float = 0.0
    replace: str | None = None
    sets: bool = False
    operating_point: bool = False

    def changed(self, options: dict[str, Any]) -> _Asked:
        """The same with other options of an answer."""
        named = {name: value for name, value in options.items() if value is not None}
        if "confidence" in named:
            named["methods"] = _names(named.pop("confidence"))
        refuse_unknown("answer", options, ("confidence", *self._fields))
        if not 0 <= named.get("threshold", 0) <= 1:
            raise ValueError(f"threshold: expected a number from 0 to 1, found {named['threshold']!r}")
        return self._replace(**named)


class Judge:
    """Answers scores, and tells how far each answer can be trusted. It never changes, and threads may share it.

    labels          the Y labels, in the order of the scores; None with trees=True
    trees           scores are those of arcs
    relations       of arcs: the R relations, if every arc has scores of these, too; judge.relations is then the judge
                    of them. Confidences of sentences are about heads
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
        relations: Iterable[str] | None = None,
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
        if relations is not None and not trees:
            raise TypeError("relations are those of trees: expected trees=True")
        self.labels = None if labels is None else tuple(labels)
        core = _core.judge(
            self.labels, _names(confidence), alternatives, sets, best, draws, c, s, seed, scheme, constraints, raw
        )
        self.sets = max(1, sets)
        self._lay_out(heads_first, root, transitions)
        self._asked = _Asked(_names(confidence), alternatives, 0, raw)
        self._others: dict[_Asked, _core.Judge] = {}
        #: The judge of relations, of a judge of trees that has some.
        self.relations: Judge | None = None
        if relations is not None:
            methods = {"confidence": confidence, "best": best, "draws": draws, "c": c, "s": s, "seed": seed, "raw": raw}
            self.relations = Judge(relations, sets=sets, scheme="none", **methods)  # type: ignore[arg-type]
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
        if self.relations is not None:
            header["relation_judge"] = json.loads(self.relations.to_json())
        if self.transitions is not None:
            header["transitions"] = _each(self.transitions, lambda x: None if x == -inf else x)
        return header

    def _again(self, header: dict[str, Any]) -> _core.Judge:
        return _core.judge_from_json(json.dumps(header, ensure_ascii=False), self.labels, self.sets, *self._asked)

    def _asking(self, options: dict[str, Any]) -> _core.Judge:
        """The judge that answers with these options."""
        asked = self._asked.changed(options)
        if asked == self._asked:
            return self._core
        other = self._others.get(asked)
        if other is None:
            if len(self._others) >= _KEPT:
                self._others.clear()
            other = self._others[asked] = _core.judge_from_json(self.to_json(), self.labels, self.sets, *asked)
        return other

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
        words: Iterable[Iterable[Any]] | None = None,
        texts: Sequence[str] | None = None,
        relations: Any = None,
        **options: Any,
    ) -> Answers:
        """The best answer to each sentence, with its confidence.

        `scores` is a list of arrays, one a sentence; or all words in one array [T, Y] or [K, T, Y] with `offsets`,
        where sentence i is rows offsets[i] up to offsets[i + 1] - 1; or sentences padded to one length, [S, L, Y] or
        [K, S, L, Y], with `lengths`. `transitions` replaces those of the judge; it may also be a list of arrays
        [N-1, Y, Y]. Answers are the same whatever the `threads`.

        With `words`, a list of words for each sentence, spans and words have their text; `texts` are the sentences
        themselves, in which the words are then found. A judge of trees that has relations takes `relations`: an array
        [N+1, N+1, R] for each sentence, or [K, N+1, N+1, R], laid out as its arcs are.

        Options are some of Model.tag(): `confidence`, `alternatives`, `draws` and `raw`, in place of the judge's;
        `threshold` marks words as doubtful, `replace` labels them anew, `sets` gives sets of choices (see tune()), and
        `operating_point` applies the one that trade() has chosen.
        """
        pieces = self._pieces(scores, offsets, lengths, transitions)
        source: Source = self._asking(options).answer(*pieces, _checked(threads))
        if (relations is None) != (self.relations is None):
            raise TypeError("relations: expected their scores for a judge that has relations, and for no other")
        if self.relations is not None:
            source = answer_relations(self.relations, source, relations, self._layout, _checked(threads), options)
        if words is not None:
            source = WithWords(source, words)
        elif texts is not None:
            raise TypeError("texts: expected the words of each sentence, too: words=")
        answers, threshold = with_texts(source, texts), options.get("threshold")
        if threshold is not None:
            answers.threshold = float(threshold)
        return answers

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
        relations: Any = None,
        labels: Any = None,
    ) -> Judge:
        """A judge whose numbers are probabilities, found on sentences that the model of the scores did not learn from.

        `gold` has the labels of each sentence, as str or as numbers from 0, or its heads, 0 for the root; or those of
        all words, with `offsets`. A judge that has relations also takes their scores, `relations`, and the right ones,
        `labels`: it is calibrated on words whose head it finds.
        """
        if (relations is None or labels is None) != (self.relations is None):
            raise TypeError("expected relations and labels for a judge that has relations, and for no other")
        case = self._case(scores, gold, offsets, lengths, transitions)
        right = tuple(map(tuple, case.gold or ()))
        core = watched(self._core.calibrate, progress, tuple(case.sentences), case.edge, right, _checked(threads))
        judge = self._like(core)
        if self.relations is not None:
            judge.relations = self._relations_calibrated(case, relations, labels, _checked(threads), progress)
            judge._core = judge._again(judge._header(core.json))
        return judge

    def _relations_calibrated(self, case: Case, given: Any, labels: Any, threads: int, progress: object) -> Judge:
        """The judge of relations, calibrated on the words whose head is right."""
        judge = self.relations
        assert judge is not None and case.gold is not None
        names = _gold(labels, [words for words, *_ in case.sentences], judge.labels)
        heads = heads_of(self._core.answer(tuple(case.sentences), None, threads))
        right = [
            [n for n, (found, gold) in enumerate(zip(row, gold_row), 1) if found == gold]
            for row, gold_row in zip(heads, case.gold)
        ]
        rows = tuple(relation_rows(given, self._layout, heads, right))
        gold = tuple(tuple(row[n - 1] for n in chosen) for row, chosen in zip(names, right))
        return judge._like(watched(judge._core.calibrate, progress, rows, None, gold, threads))

    def _case(
        self,
        scores: Any,
        gold: Any,
        offsets: Sequence[int] | None,
        lengths: Sequence[int] | None,
        transitions: Any,
        words: Iterable[Iterable[Any]] | None = None,
    ) -> Case:
        sentences, edge = self._pieces(scores, offsets, lengths, transitions)
        right = None if gold is None else _gold(gold, [words for words, *_ in sentences], self.labels)
        given = None if words is None else [list(sentence) for sentence in words]
        if given is not None and len(given) != len(sentences):
            raise ValueError(f"words: expected those of {len(sentences)} sentences, as scores have, found {len(given)}")
        return Case(sentences, edge, right, given)

    def _on(self, job: str, case: Case, progress: object, options: Mapping[str, object]) -> Any:
        """Does a job of models with this judge."""
        header = json.loads(self.to_json())
        if case.edge is not None and case.edge is not self._edge:  # those of the call
            header["transitions"] = _each(
                [_square(block, len(self.labels or ())) for block in case.edge], lambda x: None if x == -inf else x
            )
        elif any(edge is not None for *_, edge in case.sentences):
            header.pop("transitions", None)
        model = model_of(header, self.labels, self.sets)
        call = partial(_core.review, model) if job == "review" else getattr(model, job)
        return run(call, case, self.trees, progress, options)

    def _after(self, model: _core.Model) -> Judge:
        """The judge that a job has made of this one."""
        judge = self._like(self._core)
        judge._core = judge._again(judge._header(model.header))
        return judge

    @options_of("eval", JudgeEvaluateOptions)
    def evaluate(
        self,
        scores: Any,
        gold: Any,
        offsets: Sequence[int] | None = None,
        lengths: Sequence[int] | None = None,
        transitions: Any = None,
        words: Iterable[Iterable[Any]] | None = None,
        progress: object = None,
        **options: Unpack[JudgeEvaluateOptions],
    ) -> Evaluation:
        """Answers scores and compares with gold, as Model.evaluate() does, with the options of `vouch eval`.

        Scores and gold are as for calibrate(); of a judge that has relations, heads are measured alone.

        >>> judge = vouch.Judge(["O", "B-PER", "I-PER"], confidence="gamma")
        >>> judge.evaluate([[[0.1, 2.0, 0.0], [3.0, 0.5, 0.0]]], [["B-PER", "O"]]).f1
        1.0
        """
        case = self._case(scores, gold, offsets, lengths, transitions, words)
        methods = self._asked.methods or (None if self.calibrated else "gamma")
        asked = {"confidence": methods, "raw": self._asked.raw or None, **options}
        return evaluation_of(json.loads(self._on("evaluate", case, progress, asked)))

    @options_of("trade", JudgeTradeOptions)
    def trade(
        self,
        scores: Any,
        gold: Any,
        offsets: Sequence[int] | None = None,
        lengths: Sequence[int] | None = None,
        transitions: Any = None,
        words: Iterable[Iterable[Any]] | None = None,
        progress: object = None,
        **options: Unpack[JudgeTradeOptions],
    ) -> tuple[dict[str, Any], Judge | None]:
        """Precision against recall, as Model.trade() has it, with the options of `vouch trade`.

        Numbers are from 0 to 1 where --json prints percentages. With `precision` or `recall`, the second result is a
        judge that keeps the operating point, by which answer(..., operating_point=True) changes labels.
        """
        case = self._case(scores, gold, offsets, lengths, transitions, words)
        text, chosen = self._on("trade", case, progress, options)
        return shares(json.loads(text)), None if chosen is None else self._after(chosen)

    @options_of("review", JudgeReviewOptions)
    def review(
        self,
        scores: Any,
        gold: Any,
        offsets: Sequence[int] | None = None,
        lengths: Sequence[int] | None = None,
        transitions: Any = None,
        words: Iterable[Iterable[Any]] | None = None,
        progress: object = None,
        **options: Unpack[JudgeReviewOptions],
    ) -> Suspects:
        """What is probably wrong in `gold`, by scores of a model that has not learned from it: `vouch review`."""
        case = self._case(scores, gold, offsets, lengths, transitions, words)
        return Suspects(*self._on("review", case, progress, options))

    @options_of("tune", JudgeTuneOptions)
    def tune(
        self,
        scores: Any,
        gold: Any,
        offsets: Sequence[int] | None = None,
        lengths: Sequence[int] | None = None,
        transitions: Any = None,
        words: Iterable[Iterable[Any]] | None = None,
        progress: object = None,
        **options: Unpack[JudgeTuneOptions],
    ) -> Judge:
        """A judge that knows how large sets of choices must be, by answer(..., sets=True), to hold the right one.

        `coverage` is how often, such as 0.95; other options are those of `vouch tune --coverage`. Confidence stays as
        it is: calibrate() finds that anew.
        """
        if options.get("coverage") is None:
            raise TypeError("coverage: expected how often sets must hold the right choice; see also calibrate()")
        case = self._case(scores, gold, offsets, lengths, transitions, words)
        return self._after(self._on("tune", case, progress, options))

    def _like(self, core: _core.Judge) -> Judge:
        judge = Judge.__new__(Judge)
        judge.__dict__.update(self.__dict__, _core=core, _others={})
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
        judge._asked = _Asked(_names(confidence), alternatives, draws, raw)
        judge._others = {}
        judge.labels, judge.sets, heads_first, root, kept = _described(text)
        judge.relations = _relation_judge(text, confidence, draws, raw)
        judge._core = _core.judge_from_json(text, judge.labels, judge.sets, *judge._asked)
        judge._lay_out(heads_first, root, kept if transitions is None else transitions)
        if transitions is not None:
            judge._core = judge._again(judge._header(text))
        return judge

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return Judge.from_json, (self.to_json(), None, *self._asked[:4])

    def __copy__(self) -> Judge:
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Judge:
        return self

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


def _relation_judge(text: str, confidence: Any, draws: int, raw: bool) -> Judge | None:
    """The judge of relations that is kept in the JSON of one of trees; None if there is none."""
    try:
        kept = json.loads(text).get("relation_judge")
    except (ValueError, AttributeError):  # the library says what is wrong
        return None
    if kept is None:
        return None
    return Judge.from_json(json.dumps(kept, ensure_ascii=False), confidence=confidence, draws=draws, raw=raw)


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
    right = tuple(_gold_row(row, i, length, labels) for i, (row, length) in enumerate(zip(rows, lengths), 1))
    found = {item for row in right for item in row}
    if labels is not None and found and found.isdisjoint(labels):
        raise ValueError(f"gold: expected labels such as {labels[0]!r}, which the scores are of, found {min(found)!r}")
    return right


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


def judge(
    scores: Any,
    labels: Iterable[str] | None = None,
    *,
    offsets: Sequence[int] | None = None,
    lengths: Sequence[int] | None = None,
    transitions: Any = None,
    threads: int = 1,
    words: Iterable[Iterable[Any]] | None = None,
    texts: Sequence[str] | None = None,
    threshold: float | None = None,
    **options: Any,
) -> Answers:
    """The answers by scores, which are as for Judge.answer(). Options are those of Judge; K is what the scores have.

    Their numbers only rank answers: calibrate() makes a judge whose numbers are probabilities.

    >>> vouch.judge([[[0.1, 2.0], [3.0, 0.5]]], ["O", "B-PER"])[0].labels
    ['B-PER', 'O']
    """
    if "gold" in options:
        raise TypeError("gold: vouch.judge() answers; vouch.calibrate(scores, labels, gold) makes a calibrated judge")
    made = _judge_for("judge", scores, labels, offsets, lengths, transitions, options)
    return made.answer(scores, offsets, lengths, transitions, threads, words, texts, threshold=threshold)


def calibrate(
    scores: Any,
    labels: Iterable[str] | None = None,
    gold: Any = None,
    *,
    offsets: Sequence[int] | None = None,
    lengths: Sequence[int] | None = None,
    transitions: Any = None,
    threads: int = 1,
    progress: object = None,
    **options: Any,
) -> Judge:
    """A judge of further scores of the same model, whose numbers are probabilities.

    Scores and gold are as for Judge.calibrate(), options those of Judge. The scores must be of sentences that the
    model has not learned from.
    """
    if gold is None:
        raise TypeError("gold: expected the right labels, or heads, of every sentence")
    made = _judge_for("calibrate", scores, labels, offsets, lengths, transitions, options)
    return made.calibrate(scores, gold, offsets, lengths, transitions, threads, progress)


def _judge_for(
    caller: str, scores: Any, labels: Any, offsets: Any, lengths: Any, transitions: Any, options: dict[str, Any]
) -> Judge:
    """A judge of as many sets as the scores have."""
    if "relations" in options:
        raise TypeError("relations: expected a judge of its own: vouch.Judge(trees=True, relations=names)")
    refuse_unknown(caller, options, Judge.__init__.__annotations__)
    shared = None if are_per_sentence(transitions) else transitions
    trees = bool(options.get("trees", False))
    layout = Layout(trees, options.get("heads_first", True), options.get("root", "first") == "diagonal")
    sentences = sentences_of(layout, scores, offsets, lengths)
    sets = sentences[0][2] if sentences else 1
    return Judge(labels, sets=sets, transitions=shared, **options)
