"""What a fitted tagger shows of itself by the names of sklearn_crfsuite: how it was learned, and its tagger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import Tagger


class TrainingLog:
    """What was told while the tagger learned.

    iterations      a dict for every pass over the data: num, voice, loss, seconds, and what was measured on X_dev
    last_iteration  the last of them; None if there is none
    log             all lines of text
    """

    def __init__(self) -> None:
        self.iterations: list[dict[str, Any]] = []
        self.log: list[str] = []

    def take(self, event: dict[str, Any]) -> None:
        """Notes an event."""
        if event["kind"] == "pass" and event["record"]:
            record = {key: value for key, value in event["record"].items() if key not in ("event", "pass")}
            self.iterations.append({"num": event["done"], **record})
        if event["text"]:
            self.log.append(event["text"].rstrip("\n"))

    @property
    def last_iteration(self) -> dict[str, Any] | None:
        return self.iterations[-1] if self.iterations else None

    def __repr__(self) -> str:
        return f"<TrainingLog: {len(self.iterations)} passes>"


class SentenceTagger:
    """Labels one sentence at a time, as pycrfsuite.Tagger does."""

    def __init__(self, tagger: Tagger) -> None:
        self._tagger = tagger
        self._sentence: Any = None

    def labels(self) -> list[str]:
        """All labels."""
        return list(self._tagger.classes_)

    def set(self, xseq: Any) -> None:
        """Sets the sentence that tag() and marginal() are about."""
        self._sentence = list(xseq)

    def tag(self, xseq: Any = None) -> list[str]:
        """The labels of a sentence, or of the one that was set."""
        if xseq is not None:
            self.set(xseq)
        return self._tagger.predict_single(self._set())

    def marginal(self, y: str, t: int) -> float:
        """The probability of label `y` for word `t` of the sentence that was set."""
        return self._tagger.predict_marginals_single(self._set())[t][y]

    def _set(self) -> Any:
        if self._sentence is None:
            raise ValueError("expected a sentence: call set() or tag() with one first")
        return self._sentence

    def __repr__(self) -> str:
        return f"<SentenceTagger: {len(self._tagger.classes_)} labels>"
