"""How far a call is: told to a function, shown by a bar of tqdm, or for progress=True by a line on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Event = dict[str, Any]
Progress = Callable[[Event], object]

_STEPS = {"reading", "learning", "tuning", "holding-out", "calibrating", "folds", "judging", "rounds", "answering"}
_WIDTH = 24
_EVERY = 0.1  # seconds


def _rewrites(stream: Any) -> bool:
    """Whether a carriage return takes what is written back to the line's begin: terminals, and cells of a notebook."""
    return type(stream).__module__.partition(".")[0] == "ipykernel" or stream.isatty()


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60:02d}:{int(seconds) % 60:02d}"


class Line:
    """Shows events as they come. Where a line cannot be rewritten, as in a log, every step is a line once it is done.

    What is done and of how much is in the events: `done`, `of`, `what`, `note`.
    """

    def __init__(self, stream: Any = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._rewritten = _rewrites(self._stream)
        self._marks = "█░" if "utf" in (getattr(self._stream, "encoding", None) or "").lower() else "#."
        self._what = self._last = ""
        self._ended = False
        self._since = self._shown = 0.0
        self._length = 0

    def __call__(self, event: Event) -> None:
        """Shows an event, unless one was shown a moment ago: that one is shown when it is the last."""
        if event["kind"] not in _STEPS:
            return
        what, now = event["what"].strip(), time.monotonic()
        if what != self._what:
            self._what, self._since, self._shown, self._ended = what, now, 0.0, False
        over = bool(event["of"]) and event["done"] >= event["of"]
        if over and self._ended:
            return
        self._ended = over
        self._last = self._text(event, now - self._since)
        if over or (self._rewritten and now - self._shown >= _EVERY):
            self._shown = now
            self._write()

    def _text(self, event: Event, seconds: float) -> str:
        done, of, note = event["done"], event["of"], event["note"].strip()
        share = done / of if of else 0.0
        full = round(share * _WIDTH)
        bar = self._marks[0] * full + self._marks[1] * (_WIDTH - full)
        far = f"{share:4.0%} {bar} {done:,}/{of:,}" if of else f"{done:,}"
        return f"{self._what} {far}{' ' + note if note else ''} [{_clock(seconds)}]"

    def _write(self) -> None:
        if self._rewritten:
            self._stream.write("\r" + self._last.ljust(self._length))
            self._length = len(self._last)
        else:
            self._stream.write(self._last + "\n")
        self._stream.flush()
        self._last = ""

    def close(self) -> None:
        """Shows what was told last, and ends the line, so that what comes next begins one of its own."""
        if self._last:
            self._write()
        if self._length:
            self._stream.write("\n")
            self._stream.flush()
            self._length = 0


def _mover(bar: Any) -> Progress:
    """A function that moves a bar of tqdm."""

    def move(event: Event) -> None:
        if event["kind"] in _STEPS:
            bar.total = event["of"] or None
            bar.n = event["done"]
            bar.set_description_str(event["what"].strip(), refresh=False)
            bar.set_postfix_str(event["note"].strip(), refresh=False)
            bar.refresh()

    return move


@contextmanager
def listening(progress: object) -> Iterator[Progress | None]:
    """What is called at every event, for as long as the block of code runs."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        line = Line()
        try:
            yield line
        finally:
            line.close()
    elif hasattr(progress, "set_description_str"):
        yield _mover(progress)
    elif callable(progress):
        yield progress
    else:
        raise TypeError(f"progress: expected True, a function or a bar of tqdm, found {type(progress)!r}")
