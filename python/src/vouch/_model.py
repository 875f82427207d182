"""Models: opening, answering, training, and all that is done with them on files or sentences."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Unpack

from . import _core
from ._answers import Answers, Best, Sentence, joined
from ._calls import as_typed, watched
from ._corpus import Heads, Labels, Source, StrPath, files_of
from ._evaluation import Evaluation, evaluation_of
from ._forms import with_texts
from ._keywords import options_of
from ._known import Flat, Known, flat
from ._options import (
    CrossValidateOptions, EvaluateOptions, ForecastOptions, ParseOptions, ReviewOptions, TagOptions, TradeOptions,
    TrainOptions, TuneOptions,
)  # fmt: skip
from ._progress import listening
from ._shares import shares
from ._suspects import Suspects
from ._vectors import pieces_of, with_vectors

_KEPT_REQUESTS = 16
_MEASURED = ("dev", "operating_point", "parameters")  # parts of a header that have figures of an evaluation
_LEAST_BLOCK = 50  # sentences between two signs of progress
# Types whose values are equal only if they are the same option.
_PLAIN = (type(None), bool, str)


def _methods(confidence: object) -> object:
    """True is what the model was calibrated for, False no confidence."""
    return {True: None, False: "none"}[confidence] if isinstance(confidence, bool) else confidence


class Model:
    """A model that labels or parses. It never changes, and threads may share it. Made by load() and train().

    Options of all functions are those of the command line: `vouch tag --no-calibrate` is no_calibrate=True.
    """

    __slots__ = ("_core", "_header", "_parses", "_path", "_plain", "_requests", "interrupted")

    def __init__(self, core: _core.Model, path: str | None = None) -> None:
        self._core = core
        #: The file that a pickle names, in place of the model's bytes; None: it holds the bytes.
        self._path = path
        self._parses = core.parses
        self._header: dict[str, Any] | None = None
        #: Whether training was ended before its time.
        self.interrupted = False
        # Requests by their options as they are typed, and by the arguments of tag() and parse() that all calls have.
        # They depend on these and the model alone, which never change.
        self._requests: dict[tuple[tuple[str, object], ...], _core.Request] = {}
        self._plain: dict[object, _core.Request] = {}

    @property
    def task(self) -> str:
        """"np", "chunk", "ner", "pos", or "dep" for trees."""
        return self._core.task

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels or relations, as they were learned."""
        return tuple(self._core.labels)

    @property
    def header(self) -> dict[str, Any]:
        """Every parameter and where the model came from; numbers are from 0 to 1 where the file has percentages."""
        header = self._header
        if header is None:
            header = self._header = dict(json.loads(self._core.header))
            header |= {key: shares(header[key]) for key in _MEASURED if key in header}
        return header

    @property
    def columns(self) -> int:
        """How many columns a word must have: 1 for the form alone, 2 for form and part of speech, ..."""
        return self._core.columns

    @property
    def dimensions(self) -> int:
        """The dimensions of the vectors that words must have: those it was learned with. 0: none."""
        return self._core.dimensions

    @property
    def parses(self) -> bool:
        """Whether answers are trees."""
        return self._parses

    @property
    def takes_attributes(self) -> bool:
        """Whether words are ready-made attributes, as CRFsuite has them."""
        return self._core.takes_attributes

    @options_of("tag", TagOptions)
    def tag(
        self,
        sentences: Iterable[Iterable[Any]],
        confidence: str | Iterable[str] | bool | None = None,
        alternatives: int = 0,
        threads: int = 1,
        texts: Sequence[str] | None = None,
        vectors: Any = None,
        progress: object = None,
        known: Known | None = None,
        **options: Unpack[TagOptions],
    ) -> Answers:
        """Labels sentences, with the options of `vouch tag`.

        A word is a str, a tuple of its columns, or, for a model that takes attributes, a dict of features as
        python-crfsuite has them. `confidence` names methods; None is the one that was found best, False none. `texts`
        has the text of every sentence, in which chunks are then found by the characters from and to which they go.
        `progress` is as for train().

        A model that was learned with vectors needs those of the words: `vectors` is one array [T, D] of all words, or a
        list of arrays [N, D], one a sentence; of numpy, torch or anything with a buffer of floats.

        `known` has what is already known of each sentence: a list with a label, or None, for each word; a dict of
        labels by the words' numbers, from 0; or None. Answers are the best that agree with it, and confidences are
        about the rest.

        >>> words = [("Ada", "NNP"), ("lives", "VBZ"), ("in", "IN"), ("Paris", "NNP")]
        >>> answers = model.tag([words], alternatives=2, texts=["Ada lives\\n  in Paris"])
        >>> answers[0].labels
        ['B-PER', 'O', 'O', 'B-LOC']
        >>> [(word.form, 0 < word.confidence < 1, len(word.alternatives)) for word in answers[0][:2]]
        [('Ada', True, 2), ('lives', True, 2)]
        >>> [(span.type, span.text, span.start_char, span.end_char) for span in answers[0].spans]
        [('PER', 'Ada', 0, 3), ('LOC', 'Paris', 15, 20)]
        >>> model.tag([words], known=[{3: "B-ORG"}])[0].labels
        ['B-PER', 'O', 'O', 'B-ORG']
        """
        if self._parses:
            raise ValueError("expected a model that labels, found one that parses: see parse()")
        if texts is None and vectors is None and progress is None and known is None and not options:
            request = self._plain.get((confidence, alternatives, threads) if type(confidence) in _PLAIN else None)
            if request is not None:
                return Answers(request.answer(sentences))
        return self._answer(sentences, confidence, alternatives, threads, texts, options, vectors, progress, known)

    @options_of("parse", ParseOptions)
    def parse(
        self,
        sentences: Iterable[Iterable[Any]],
        confidence: str | Iterable[str] | bool | None = None,
        alternatives: int = 0,
        threads: int = 1,
        texts: Sequence[str] | None = None,
        progress: object = None,
        known: Known | None = None,
        **options: Unpack[ParseOptions],
    ) -> Answers:
        """Parses sentences, with the options of `vouch parse`.

        A word is its form, or a tuple of form, lemma, universal part of speech, the corpus's own, and features. `known`
        is as for tag(): of a word its head, its relation, or a tuple of both, of which one may be None.

        >>> answers = parser.parse([[("Ada", "Ada", "PROPN"), ("slept", "sleep", "VERB"), (".", ".", "PUNCT")]])
        >>> [(word.head, word.relation) for word in answers[0]]
        [(2, 'nsubj'), (0, 'root'), (2, 'punct')]
        >>> parser.parse([[("Ada",), ("slept",), (".",)]], known=[{2: (1, "flat")}])[0].heads[2]
        1
        """
        if not self._parses:
            raise ValueError("expected a model that parses, found one that labels: see tag()")
        if texts is None and progress is None and known is None and not options:
            request = self._plain.get((confidence, alternatives, threads) if type(confidence) in _PLAIN else None)
            if request is not None:
                return Answers(request.answer(sentences))
        return self._answer(sentences, confidence, alternatives, threads, texts, options, None, progress, known)

    def k_best(
        self,
        sentences: Iterable[Iterable[Any]],
        k: int = 5,
        confidence: str | None = None,
        vectors: Any = None,
        known: Known | None = None,
        raw: bool = False,
    ) -> list[list[Best]]:
        """The `k` best whole answers to each sentence, the best first, with their probabilities.

        The first is what tag() or parse() answers, its probability the confidence in the whole sentence; what that
        leaves is shared out among all others by their scores. Arguments are as for these; with raw=True, probabilities
        are those of the model's scores alone.

        >>> words = [("Ada", "NNP"), ("lives", "VBZ"), ("in", "IN"), ("Paris", "NNP")]
        >>> for best in model.k_best([words], k=3)[0]:
        ...     print(best.labels, best.heads, best.probability > 0)
        ['B-PER', 'O', 'O', 'B-LOC'] None True
        ['B-PER', 'O', 'O', 'O'] None True
        ['O', 'O', 'O', 'B-LOC'] None True
        """
        request = self._request(confidence, 0, 1, {"raw": raw or None})
        found = request.best(*self._given(sentences, vectors, known), k)
        return [[Best(*answer) for answer in answers] for answers in found]

    @options_of("tag", TagOptions)
    def stream(
        self,
        sentences: Iterable[Iterable[Any]],
        confidence: str | Iterable[str] | bool | None = None,
        alternatives: int = 0,
        threads: int = 1,
        block: int = 1000,
        vectors: Iterable[Any] | None = None,
        **options: Unpack[TagOptions],
    ) -> Iterator[Sentence]:
        """Answers sentences as they come, `block` of them at a time, in memory that does not grow with their number.

        `vectors` has an array for each of them, if the model needs vectors: see tag().

        >>> from itertools import count, islice
        >>> endless = ([("lives", "VBZ"), ("in", "IN"), ("Paris", "NNP"), (str(i), "CD")][:4 - i % 2] for i in count())
        >>> [sentence.forms[-1] for sentence in islice(model.stream(endless, block=2), 4)]
        ['0', 'Paris', '2', 'Paris']
        """
        if block < 1:
            raise ValueError(f"block: expected at least 1 sentence, found {block}")
        request = self._request(confidence, alternatives, threads, options)
        rest, rows = iter(sentences), None if vectors is None else iter(vectors)
        while taken := list(islice(rest, block)):
            given = rows if rows is None else list(islice(rows, len(taken)))
            yield from Answers(self._ask(request, taken, given, None))

    def _request(
        self, confidence: object, alternatives: int, threads: int, more: Mapping[str, object]
    ) -> _core.Request:
        options = as_typed(
            {"confidence": _methods(confidence), "alternatives": alternatives, "threads": threads, **more}
        )
        key = tuple(sorted(options.items()))
        request = self._requests.get(key)
        if request is None:
            request = self._core.request(options)
            if len(self._requests) >= _KEPT_REQUESTS:
                self._requests.clear()
            self._requests[key] = request
        return request

    def _given(
        self, sentences: Iterable[Iterable[Any]], vectors: Any, known: Known | None
    ) -> tuple[Iterable[Iterable[Any]], tuple[Any, ...] | None, *Flat]:
        """Sentences, with vectors and what is known of all their words."""
        given = [item if isinstance(item, (str, bytes, dict)) else tuple(item) for item in sentences]
        lengths = list(map(len, given))
        pieces = None if vectors is None else pieces_of(vectors, lengths, self.dimensions)
        labels, heads = (None, None) if known is None else flat(known, lengths, self.parses)
        return given, pieces, labels, heads

    def _ask(
        self, request: _core.Request, sentences: Iterable[Iterable[Any]], vectors: Any, known: Known | None
    ) -> _core.Arrays:
        if vectors is None and known is None:
            return request.answer(sentences)
        return request.answer_with(*self._given(sentences, vectors, known))

    def _answer(
        self,
        sentences: Iterable[Iterable[Any]],
        confidence: object,
        alternatives: int,
        threads: int,
        texts: Sequence[str] | None,
        more: Mapping[str, object],
        vectors: Any = None,
        progress: object = None,
        known: Known | None = None,
    ) -> Answers:
        request = self._request(confidence, alternatives, threads, more)
        if type(confidence) in _PLAIN and type(alternatives) is type(threads) is int and not more:
            if len(self._plain) >= _KEPT_REQUESTS:
                self._plain.clear()
            self._plain[confidence, alternatives, threads] = request
        if progress and vectors is None and known is None:
            answers = _in_blocks(request, list(sentences), progress)
        else:
            answers = self._ask(request, sentences, vectors, known)
        made, threshold = with_texts(answers, texts), more.get("threshold")
        if threshold is not None:
            made.threshold = float(str(threshold))
        return made

    def _on(
        self,
        call: Callable[..., Any],
        source: Source,
        labels: Labels | None,
        heads: Heads | None,
        progress: object,
        options: Mapping[str, object],
        gold: bool = True,
    ) -> Any:
        """Calls a function of the library on files, or on sentences."""
        kind = {"attributes": self.takes_attributes, "trees": self.parses, "gold": gold}
        return _on_files(call, files_of(source, labels, heads, **kind), progress, options)

    @options_of("eval", EvaluateOptions)
    def evaluate(
        self,
        source: Source,
        labels: Labels | None = None,
        heads: Heads | None = None,
        progress: object = None,
        **options: Unpack[EvaluateOptions],
    ) -> Evaluation:
        """Answers labelled files or sentences and compares, with the options of `vouch eval`.

        The result is what --json prints, with numbers from 0 to 1 for percentages.

        >>> words = [("Ada", "NNP"), ("lives", "VBZ"), ("in", "IN"), ("Paris", "NNP")]
        >>> model.evaluate([words], labels=[["B-PER", "O", "O", "B-LOC"]]).f1
        1.0
        """
        return evaluation_of(json.loads(self._on(self._core.evaluate, source, labels, heads, progress, options)))

    @options_of("tune", TuneOptions)
    def tune(
        self,
        source: Source,
        labels: Labels | None = None,
        heads: Heads | None = None,
        progress: object = None,
        **options: Unpack[TuneOptions],
    ) -> Model:
        """A new model, with confidence calibrated on labelled files or sentences, with the options of `vouch tune`."""
        return Model(self._on(self._core.tune, source, labels, heads, progress, options))

    @options_of("forecast", ForecastOptions)
    def forecast(self, source: Source, progress: object = None, **options: Unpack[ForecastOptions]) -> dict[str, Any]:
        """How good answers to files or sentences are going to be, with the options of `vouch forecast`.

        Numbers are from 0 to 1 where --json prints percentages.
        """
        text = self._on(self._core.forecast, source, None, None, progress, options, gold=False)
        result: dict[str, Any] = shares(json.loads(text))
        return result

    @options_of("trade", TradeOptions)
    def trade(
        self,
        source: Source,
        labels: Labels | None = None,
        heads: Heads | None = None,
        progress: object = None,
        **options: Unpack[TradeOptions],
    ) -> tuple[dict[str, Any], Model | None]:
        """Precision against recall on labelled files or sentences, with the options of `vouch trade`.

        Numbers are from 0 to 1 where --json prints percentages. With `precision` or `recall`, the second result is a
        model that keeps the operating point.
        """
        text, chosen = self._on(self._core.trade, source, labels, heads, progress, options)
        return shares(json.loads(text)), None if chosen is None else Model(chosen)

    @options_of("review", ReviewOptions)
    def review(
        self,
        source: Source,
        labels: Labels | None = None,
        heads: Heads | None = None,
        progress: object = None,
        **options: Unpack[ReviewOptions],
    ) -> Suspects:
        """What is probably wrong in labelled files or sentences, which the model must not have learned from.

        Options are those of `vouch review`. vouch.review() finds errors without a model.
        """
        return Suspects(*self._on(partial(_core.review, self._core), source, labels, heads, progress, options))

    def save(self, path: StrPath) -> None:
        """Writes the model to a file, which appears whole or not at all."""
        self._core.save(path)

    def to_bytes(self) -> bytes:
        """The bytes of the model's file."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model")
            self._core.save(path)
            return path.read_bytes()

    def __reduce__(self) -> tuple[Callable[..., Model], tuple[Any, ...]]:
        """A pickle holds the model's bytes; or the path and digest of its file: see load()."""
        data = self.to_bytes()
        if self._path is None:
            return _load_pickled, (data, self.interrupted)
        digest = _digest(data)
        if _digest(Path(self._path).read_bytes()) != digest:
            raise ValueError(f"{self._path}: expected the model that was loaded, found another file")
        return _load_same, (self._path, digest)

    def __copy__(self) -> Model:
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self

    def __repr__(self) -> str:
        return f"<vouch.Model: {self.task}, {len(self._core.labels)} labels>"


def _in_blocks(request: _core.Request, sentences: list[Any], progress: object) -> Any:
    """The answers of one call, some sentences at a time, and how far it is.

    Where a method looks at the sentences around, all are one block. What is wrong is said by a call with all of them,
    which knows the sentence's number.
    """
    size = max(_LEAST_BLOCK, len(sentences) // 100)
    parts: list[_core.Arrays] = []
    done = 0
    with listening(progress) as tell:
        while done < len(sentences) or not parts:
            try:
                part = request.answer(sentences[done : done + size])
            except Exception:
                request.answer(sentences)
                raise
            if any("+text" in name for name, _ in part.methods) and len(part) < len(sentences):
                part, done = request.answer(sentences), 0
            parts.append(part)
            done += len(part)
            if tell:
                tell({"kind": "answering", "what": "answering", "done": done, "of": len(sentences),
                      "number": float("nan"), "note": "", "text": None, "record": None})  # fmt: skip
    return joined(parts)


def _on_files(
    call: Callable[..., Any],
    source: AbstractContextManager[tuple[tuple[StrPath, ...], str | None]],
    progress: object,
    options: Mapping[str, object],
    keep: bool = False,
) -> Any:
    """Calls a function of the library on what files_of() made, and on the vectors of its words."""
    with source as (files, form), with_vectors(options) as given:
        typed = as_typed(given)
        if form is not None:
            typed.setdefault("format", form)
        return watched(call, progress, typed, files, keep=keep)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _load_pickled(data: bytes, interrupted: bool) -> Model:
    model = Model(_core.load_bytes(data))
    model.interrupted = interrupted
    return model


def _load_same(path: str, digest: str) -> Model:
    """Opens a model that was pickled by its path."""
    data = Path(path).read_bytes()
    if _digest(data) != digest:
        raise ValueError(f"{path}: expected the model that was pickled, found another file")
    return Model(_core.load_bytes(data), path)


def _opened(path: str, call: Callable[[str], _core.Model]) -> Model:
    try:
        return Model(call(path))
    except OSError:
        with open(path, "rb"):  # says more exactly what is wrong
            raise


def load(source: StrPath | bytes | bytearray | memoryview, pickle: str = "bytes") -> Model:
    """Opens a model file, by its path or by its bytes. What happens to the file afterwards does not matter.

    A pickle of the model holds all of its bytes. With pickle="path" it holds the file's absolute path and a digest,
    for those who have the same file on every machine: a process that opens the pickle finds it there, or fails.

    >>> vouch.load("ner.vouch")
    <vouch.Model: ner, 9 labels>
    """
    if pickle not in ("bytes", "path"):
        raise ValueError(f"pickle: expected 'bytes' or 'path', found {pickle!r}")
    if isinstance(source, (bytes, bytearray, memoryview)):
        if pickle == "path":
            raise ValueError("pickle='path': expected the path of a model, found its bytes")
        return Model(_core.load_bytes(source))
    path = os.path.abspath(os.fspath(source))
    model = _opened(path, _core.load)
    model._path = path if pickle == "path" else None
    return model


def import_model(path: StrPath, from_: str = "crfsuite") -> Model:
    """Makes a model of another program's: a file of CRFsuite, or with from_="crfpp" a text model of CRF++."""
    return _opened(os.path.abspath(os.fspath(path)), lambda name: _core.import_model(from_, name))


@options_of("train", TrainOptions)
def train(
    source: Source,
    task: str | None = None,
    labels: Labels | None = None,
    heads: Heads | None = None,
    progress: object = None,
    **options: Unpack[TrainOptions],
) -> Model:
    """Learns a model from labelled files or sentences, with the options of `vouch train`.

    Words of sentences are tuples whose last item is the label; or `labels` has a list of labels for each sentence, and
    for trees `heads` one of heads. `progress` is True for a line on stderr, a bar of tqdm, or a function that gets
    every event as a dict (kind, what, done, of, number, note, text, record) on another thread. An exception in it ends
    training.

    `vectors` are those of the words, which the model then needs for all sentences: an array [T, D] of all words, a list
    of arrays [N, D], or the path of a file of them.

    Ctrl-C ends training, and so does StopIteration in `progress`: the result is then what was learned so far, with
    `interrupted` set and a warning, or KeyboardInterrupt if that is nothing yet.

    >>> sentences = [[("Ada", "B-PER"), ("left", "O")], [("nobody", "O"), ("saw", "O"), ("Ada", "B-PER")]]
    >>> small = vouch.train(sentences, task="ner", passes=3, no_calibrate=True)
    >>> small.tag([["Ada", "saw"]])[0].labels
    ['B-PER', 'O']
    """
    trees = heads is not None or task == "dep"
    files = files_of(source, labels, heads, attributes=None, trees=trees, gold=True)
    core, stopped = _on_files(_core.train, files, progress, {"task": task, **options}, keep=True)
    model = Model(core)
    if stopped:
        model.interrupted = True
        warnings.warn("training was interrupted: the model is what was learned so far", RuntimeWarning, stacklevel=3)
    return model


@options_of("eval", CrossValidateOptions)
def cross_validate(
    source: Source,
    task: str,
    labels: Labels | None = None,
    heads: Heads | None = None,
    folds: int = 5,
    progress: object = None,
    **options: Unpack[CrossValidateOptions],
) -> dict[str, Any]:
    """Cross-validates algorithms on labelled files or sentences, as `vouch eval --folds` does.

    The result is what --json prints, with numbers from 0 to 1 for percentages.
    """
    files = files_of(source, labels, heads, attributes=None, trees=task == "dep", gold=True)
    asked = {"task": task, "folds": folds, **options}
    result: dict[str, Any] = shares(json.loads(_on_files(_core.cross_validate, files, progress, asked)))
    return result


@options_of("review", ReviewOptions)
def review(
    source: Source,
    task: str,
    labels: Labels | None = None,
    heads: Heads | None = None,
    progress: object = None,
    **options: Unpack[ReviewOptions],
) -> Suspects:
    """What is probably wrong in labelled files or sentences, by models of the other parts of them: `vouch review`.

    >>> suspects = vouch.review("ner.train", task="ner", passes=2, inspect=3)
    >>> [(suspect.given != suspect.proposed, 0 < suspect.error < 1) for suspect in suspects][:1]
    [(True, True)]
    """
    files = files_of(source, labels, heads, attributes=None, trees=task == "dep", gold=True)
    return Suspects(*_on_files(partial(_core.review, None), files, progress, {"task": task, **options}))
