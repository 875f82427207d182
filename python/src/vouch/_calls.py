"""Calls of the library that take options and files, and may take minutes: as they are typed, watched and stopped."""

from __future__ import annotations

import json
import numbers
import os
import re
import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ._keywords import option_of
from ._progress import Event, Progress, listening
from ._shares import shares

Options = dict[str, str | tuple[str, ...]]
Result = TypeVar("Result")

# The names of enum vouch_event_kind, in its order.
_KINDS = (
    "note", "warning", "reading", "read", "learning", "pass", "kept", "tuning", "tried", "tuned", "holding-out",
    "calibrating", "calibrated", "folds", "judging", "rounds", "clustering",
)  # fmt: skip
# Options that are given several times instead of with commas.
_REPEATED = {"decided", "lexicon"}
_IN_MEMORY = re.compile(r"/proc/self/fd/\d+")


def _text(name: str, value: object) -> str:
    """The value of an option as it would be typed."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):  # numpy's own among them
        return repr(float(value))
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return ",".join(value)
    raise TypeError(f"option {name!r}: expected str, bool, number or list of str, found {type(value)!r}")


def _value(name: str, value: object) -> str | tuple[str, ...]:
    if name == "lexicon" and isinstance(value, Mapping):
        value = [f"{called}={os.fspath(path)}" for called, path in value.items()]
    if name in _REPEATED and isinstance(value, (list, tuple)):
        return tuple(_text(name, item) for item in value)
    return _text(name, value)


def as_typed(options: Mapping[str, object]) -> Options:
    """Options by the names that they have on the command line; those that are None are left out.

    A name ends with an underscore if it is a word of Python:

    >>> as_typed({"from_": "old.vouch", "no_calibrate": True, "passes": 5, "confidence": ["gamma", "delta"], "c": None})
    {'from': 'old.vouch', 'no-calibrate': 'true', 'passes': '5', 'confidence': 'gamma,delta'}

    Lexicons have names:

    >>> as_typed({"lexicon": {"glove": "glove.tsv", "places": "places.tsv"}})
    {'lexicon': ('glove=glove.tsv', 'places=places.tsv')}
    """
    named = {option_of(name): value for name, value in options.items()}
    return {name: _value(name, value) for name, value in named.items() if value is not None}


def shown(text: str) -> str:
    """A text in which a file that is only in memory has a name that says what it holds.

    >>> shown("/proc/self/fd/100:3: expected a label")
    'sentences:3: expected a label'
    """
    return _IN_MEMORY.sub("sentences", text)


def _event(raw: Event) -> Event:
    raw = {key: shown(value) if isinstance(value, str) else value for key, value in raw.items()}
    record = raw["record"]
    kind = _KINDS[raw["kind"]] if raw["kind"] < len(_KINDS) else "other"
    return {**raw, "kind": kind, "record": shares(json.loads(record)) if record else None}


def watched(call: Callable[..., Result], progress: object, *arguments: object, keep: bool = False) -> Result:
    """Calls on another thread, so that this one can be interrupted.

    An exception here or in `progress` ends the call, and is raised. With `keep`, what the call returns when it is ended
    by KeyboardInterrupt, or by StopIteration in `progress`, is returned instead, unless it fails.
    """
    with listening(progress) as listener:
        return _watched(call, listener, arguments, keep)


def _watched(
    call: Callable[..., Result], listener: Progress | None, arguments: tuple[object, ...], keep: bool
) -> Result:
    stop = bytearray(1)
    results: list[Result] = []
    raised: list[BaseException] = []
    failed: list[BaseException] = []

    def tell(raw: Event) -> None:
        try:
            if listener and not raised:
                listener(_event(raw))
        except BaseException as error:
            raised.append(error)
            stop[0] = 1

    def work() -> None:
        try:
            results.append(call(*arguments, tell if listener else None, stop))
        except BaseException as error:
            error.args = tuple(shown(part) if isinstance(part, str) else part for part in error.args)
            failed.append(error)
        finally:
            done.set()

    done = threading.Event()  # Thread.join() that is interrupted takes the thread for ended
    thread = threading.Thread(target=work, name="vouch")
    thread.start()
    try:
        while not done.wait(0.1):
            pass
    except BaseException as error:
        raised.append(error)
        stop[0] = 1
        done.wait()  # a second interrupt is raised here; the library then ends by itself
    if raised and not (keep and results and isinstance(raised[0], (KeyboardInterrupt, StopIteration))):
        raise raised[0]
    if failed:
        raise failed[0]
    return results[0]
