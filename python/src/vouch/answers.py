"""Answers of other programs, with a number for each: how good are the numbers, and what probabilities are they?

Answers are in a file, or a list of rows that would be its lines of JSON: of words, of sentences or trees, or of texts
with spans, as Hugging Face, GLiNER, Presidio and others give them. vouch-eval(1) lists the formats under "ANSWERS OF
OTHER PROGRAMS". Gold is in the rows, or in a source of its own.

>>> from vouch import answers
>>> rows = [{"gold": "B-PER", "guess": "B-PER", "confidence": 3.5}, {"gold": "O", "guess": "B-LOC", "confidence": 0.5},
...         {"gold": "O", "guess": "O", "confidence": 2.0}] * 50
>>> answers.measure(rows)["confidence"]["words"]["methods"][0]["average_precision"]
1.0
>>> calibration = answers.tune(rows)
>>> calibration
<vouch.answers.Calibration: labels>
>>> [row["calibrated"] > 0.5 for row in answers.apply(rows[:3], calibration)]
[True, False, True]
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, overload

from . import _core
from ._calls import as_typed, watched
from ._corpus import StrPath, file_of
from ._evaluation import Evaluation, evaluation_of
from ._keywords import keyword_of, refuse_unknown
from ._shares import shares

__all__ = ["Calibration", "apply", "load", "measure", "trade", "tune", "vote"]

Rows = Iterable[Any]


class Calibration:
    """What makes probabilities of another program's numbers: found by tune(), kept as JSON, which `text` is."""

    def __init__(self, text: str) -> None:
        self.text = text
        #: All that is in it, figures of held-out answers among it.
        self.record: dict[str, Any] = json.loads(text)

    def save(self, path: StrPath) -> None:
        """Writes the file that `vouch tune --answers` writes, for -m of `vouch eval`, `tag` and `trade --answers`."""
        Path(path).write_text(self.text, encoding="utf-8")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Calibration) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<vouch.answers.Calibration: {self.record.get('about', 'unknown')}>"


def load(path: StrPath) -> Calibration:
    """Opens a calibration that was saved, here or by `vouch tune --answers`."""
    text = Path(path).read_text(encoding="utf-8")
    try:
        return Calibration(text)
    except ValueError:
        raise ValueError(f"{os.fspath(path)}: expected a calibration, as 'vouch tune --answers' writes it") from None


def _text(calibration: Calibration | StrPath | None) -> str | None:
    if calibration is None or isinstance(calibration, Calibration):
        return None if calibration is None else calibration.text
    return load(calibration).text


def _is_path(source: object) -> bool:
    return isinstance(source, (str, os.PathLike))


def _plain(value: Any) -> Any:
    """Numbers of numpy and torch, and arrays of them, as Python's."""
    for name in ("tolist", "item"):
        if hasattr(value, name):
            return getattr(value, name)()
    raise TypeError(f"expected values that JSON can hold, found {type(value)!r}")


def _lines(rows: Rows) -> Iterator[bytes]:
    for number, row in enumerate(rows, 1):
        if not isinstance(row, (dict, list, tuple)):
            raise TypeError(f"row {number}: expected a dict, or a list of dicts, found {type(row)!r}")
        try:
            yield json.dumps(row, ensure_ascii=False, default=_plain).encode() + b"\n"
        except TypeError as error:
            raise TypeError(f"row {number}: {error}") from None


# The command that each function does the work of.
_COMMANDS = {"measure": "eval", "tune": "tune", "apply": "tag", "trade": "trade", "vote": "vote"}


def _call(
    name: str,
    calibration: str | None,
    sources: Sequence[StrPath | Rows],
    progress: object,
    options: dict[str, object],
) -> Any:
    """Calls the library's function of this name on files; rows become one for as long as it runs."""
    refuse_unknown(name, options, {keyword_of(option) for option, *_ in _core.options(_COMMANDS[name])})
    call = partial(getattr(_core, f"answers_{name}"), calibration)
    with ExitStack() as stack:
        files: list[Any] = []
        for source in sources:
            if isinstance(source, Calibration):
                raise TypeError(f"{name}(): expected a calibration as calibration=, found it in the place of gold")
            if isinstance(source, (bytes, dict)):
                raise TypeError(f"expected the path of a file, or a list of rows, found {type(source)!r}")
            given = source if isinstance(source, (str, os.PathLike)) else stack.enter_context(file_of(_lines(source)))
            files.append(given)
        return watched(call, progress, as_typed(options), tuple(files))


def _sources(source: StrPath | Rows, gold: StrPath | Rows | None) -> list[StrPath | Rows]:
    return [source] if gold is None else [source, gold]


def measure(
    source: StrPath | Rows,
    gold: StrPath | Rows | None = None,
    calibration: Calibration | StrPath | None = None,
    progress: object = None,
    **options: object,
) -> Evaluation:
    """How good answers are, and how far their numbers can be trusted, as `vouch eval --answers` has it.

    With a calibration, it is about the probabilities that it makes of the numbers. Options are those of `vouch eval`:
    `columns="right,found,score"` names other keys, `log=True` says that numbers are log-probabilities.
    """
    text = _call("measure", _text(calibration), _sources(source, gold), progress, options)
    return evaluation_of(json.loads(text))


def tune(
    source: StrPath | Rows, gold: StrPath | Rows | None = None, progress: object = None, **options: object
) -> Calibration:
    """Finds what probabilities the numbers are, as `vouch tune --answers` does, with its options.

    The program whose answers they are must not have learned from these texts.
    """
    return Calibration(_call("tune", None, _sources(source, gold), progress, options))


@overload
def apply(  # pyright: ignore[reportOverlappingOverload]  (a str is also an iterable)
    source: StrPath, calibration: Calibration | StrPath, **options: object
) -> str: ...
@overload
def apply(source: Rows, calibration: Calibration | StrPath, **options: object) -> list[Any]: ...
def apply(source: StrPath | Rows, calibration: Calibration | StrPath, **options: object) -> str | list[Any]:
    """Answers with their probabilities, under the key "calibrated", as `vouch tag --answers` writes them.

    Rows give rows, and a file gives the text of one that has them. No gold is needed. `threshold=0.9` marks spans that
    are less likely as doubtful, `operating_point=True` leaves out those that trade() has chosen to.
    """
    made_by = _text(calibration)
    if made_by is None:
        raise TypeError("calibration: expected one that tune() made, or its path")
    text: str = _call("apply", made_by, [source], None, options)
    return text if _is_path(source) else [json.loads(line) for line in text.splitlines() if line.strip()]


def trade(
    source: StrPath | Rows,
    gold: StrPath | Rows | None = None,
    calibration: Calibration | StrPath | None = None,
    progress: object = None,
    **options: object,
) -> tuple[dict[str, Any], Calibration | None]:
    """Precision against recall of spans, as `vouch trade --answers` has it, with its options.

    With a calibration and `precision` or `recall`, the second result is the calibration with the operating point.
    """
    text, chosen = _call("trade", _text(calibration), _sources(source, gold), progress, options)
    return shares(json.loads(text)), None if chosen is None else Calibration(chosen)


def vote(*sources: StrPath | Rows, **options: object) -> str | list[Any]:
    """One answer of several to the same texts, whose score is the share of them that agree: as `vouch vote` does.

    Sources are several files, or lists of rows, one of each program or sample; or one whose rows have several answers.
    Rows give rows, and files the text of a file.
    """
    if not sources:
        raise TypeError("expected answers to count, found none")
    text: str = _call("vote", None, sources, None, options)
    return text if _is_path(sources[0]) else [json.loads(line) for line in text.splitlines() if line.strip()]
