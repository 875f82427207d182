"""Models: opening, answering, training, evaluating."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from . import _core
from ._answers import Answers

StrPath = str | os.PathLike[str]
Event = dict[str, Any]
Result = TypeVar("Result")

# The names of enum vouch_event_kind, in its order.
_KINDS = (
    "note", "warning", "reading", "read", "learning", "pass", "kept", "tuning", "tried", "tuned", "holding-out",
    "calibrating", "calibrated", "folds", "judging", "rounds",
)  # fmt: skip


def _text(name: str, value: object) -> str:
    """The value of an option as it would be typed."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return ",".join(value)
    raise TypeError(f"option {name!r}: expected str, bool, number or list of str, found {type(value)!r}")


def _options(**options: object) -> dict[str, str]:
    """Options by the names that they have on the command line; those that are None are left out.

    A name ends with an underscore if it is a word of Python: from_.
    """
    named = {name.rstrip("_").replace("_", "-"): value for name, value in options.items()}
    return {name: _text(name, value) for name, value in named.items() if value is not None}


def _methods(confidence: object) -> object:
    """True is what the model was calibrated for, False no confidence."""
    return {True: None, False: "none"}[confidence] if isinstance(confidence, bool) else confidence


def _files(files: StrPath | Iterable[StrPath]) -> tuple[StrPath, ...]:
    return (files,) if isinstance(files, (str, os.PathLike)) else tuple(files)


def _event(raw: Event) -> Event:
    record = raw["record"]
    kind = _KINDS[raw["kind"]] if raw["kind"] < len(_KINDS) else "other"
    return {**raw, "kind": kind, "record": json.loads(record) if record else None}


def _watched(call: Callable[..., Result], progress: Callable[[Event], object] | None, *arguments: object) -> Result:
    """Calls on another thread, so that this one can be interrupted; an exception here or in `progress` ends it."""
    stop = bytearray(1)
    results: list[Result] = []
    raised: list[BaseException] = []

    def tell(raw: Event) -> None:
        try:
            if progress and not raised:
                progress(_event(raw))
        except BaseException as error:
            raised.append(error)
            stop[0] = 1

    def work() -> None:
        try:
            results.append(call(*arguments, tell if progress else None, stop))
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work, name="vouch")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
    except BaseException:
        stop[0] = 1
        thread.join()
        raise
    if raised:
        raise raised[0]
    return results[0]


class Model:
    """A model that labels or parses. It never changes, and threads may share it. Made by load() and train()."""

    __slots__ = ("_core", "_header", "_last", "_path")

    def __init__(self, core: _core.Model, path: str | None = None) -> None:
        self._core = core
        self._path = path
        self._header: dict[str, Any] | None = None
        # The last request and its options: it depends on these and the model alone, and none of them changes.
        self._last: tuple[dict[str, str], _core.Request] | None = None

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
        """Every parameter and where the model came from."""
        if self._header is None:
            self._header = json.loads(self._core.header)
        return self._header

    @property
    def columns(self) -> int:
        """How many columns a word must have: 1 for the form alone, 2 for form and part of speech, ..."""
        return self._core.columns

    @property
    def parses(self) -> bool:
        """Whether answers are trees."""
        return self._core.parses

    @property
    def takes_attributes(self) -> bool:
        """Whether words are ready-made attributes, as CRFsuite has them."""
        return self._core.takes_attributes

    def tag(
        self,
        sentences: Iterable[Iterable[Any]],
        confidence: str | Iterable[str] | bool | None = None,
        alternatives: int = 0,
        threads: int = 1,
        **options: object,
    ) -> Answers:
        """Labels sentences, with the options of `vouch tag`.

        A word is a str, a tuple of its columns, or, for a model that takes attributes, a dict of features as
        python-crfsuite has them. `confidence` names methods; None is the one that was found best, False none.
        """
        if self.parses:
            raise ValueError("expected a model that labels, found one that parses: see parse()")
        return self._answer(sentences, confidence, alternatives, threads, options)

    def parse(
        self,
        sentences: Iterable[Iterable[Any]],
        confidence: str | Iterable[str] | bool | None = None,
        alternatives: int = 0,
        threads: int = 1,
        **options: object,
    ) -> Answers:
        """Parses sentences, with the options of `vouch parse`.

        A word is its form, or a tuple of form, lemma, universal part of speech, the corpus's own, and features.
        """
        if not self.parses:
            raise ValueError("expected a model that parses, found one that labels: see tag()")
        return self._answer(sentences, confidence, alternatives, threads, options)

    def _answer(
        self, sentences: Iterable[Iterable[Any]], confidence: object, alternatives: int, threads: int, more: Any
    ) -> Answers:
        options = _options(confidence=_methods(confidence), alternatives=alternatives, threads=threads, **more)
        last = self._last
        if last is None or last[0] != options:
            last = self._last = (options, self._core.request(options))
        return Answers(last[1].answer(sentences))

    def evaluate(
        self,
        files: StrPath | Iterable[StrPath],
        progress: Callable[[Event], object] | None = None,
        **options: object,
    ) -> dict[str, Any]:
        """Answers labelled files and compares, with the options of `vouch eval`: what that prints with --json."""
        text = _watched(self._core.evaluate, progress, _options(**options), _files(files))
        result: dict[str, Any] = json.loads(text)
        return result

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
        """A pickle holds the path and digest of a file that still has the model, else the model's bytes."""
        data = self.to_bytes()
        digest = _digest(data)
        try:
            if self._path is not None and _digest(Path(self._path).read_bytes()) == digest:
                return _load_same, (self._path, digest)
        except OSError:
            pass
        return load, (data,)

    def __repr__(self) -> str:
        return f"<vouch.Model: {self.task}, {len(self._core.labels)} labels>"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _load_same(path: str, digest: str) -> Model:
    """Opens a model that was pickled by its path."""
    data = Path(path).read_bytes()
    if _digest(data) != digest:
        raise ValueError(f"{path}: expected the model that was pickled, found another file")
    return Model(_core.load_bytes(data), path)


def load(source: StrPath | bytes | bytearray | memoryview) -> Model:
    """Opens a model file, by its path or by its bytes."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Model(_core.load_bytes(source))
    path = os.path.abspath(os.fspath(source))
    try:
        return Model(_core.load(path), path)
    except OSError:
        with open(path, "rb"):  # says more exactly what is wrong
            raise


def train(
    files: StrPath | Iterable[StrPath],
    task: str | None = None,
    progress: Callable[[Event], object] | None = None,
    **options: object,
) -> Model:
    """Learns a model from labelled files, with the options of `vouch train`.

    `progress` gets every event as a dict: kind, what, done, of, number, text, record. It is called on another thread;
    an exception in it ends training, as Ctrl-C does.
    """
    return Model(_watched(_core.train, progress, _options(task=task, **options), _files(files)))
