"""Answers: flat arrays of all words of all sentences, which also read like a list of sentences of words.

Arrays are read-only memoryviews: numpy.asarray(answers.confidence) copies nothing. The words of sentence i are
offsets[i] up to offsets[i + 1] - 1, its chunks span_offsets[i] up to span_offsets[i + 1] - 1.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple, overload

NAN = float("nan")


def _column(data: bytes, kind: str) -> memoryview:
    return memoryview(data).cast(kind)


class _Choices:
    """For every word some choices, the likeliest first."""

    def __init__(self, raw: tuple[bytes, bytes, bytes, bytes]) -> None:
        offsets, labels, heads, probabilities = raw
        self.offsets = _column(offsets, "q")
        self.labels = _column(labels, "i")
        self.heads = _column(heads, "i")
        self.probabilities = _column(probabilities, "d")


class Span(NamedTuple):
    """A chunk: words start .. end - 1 of its sentence; confidence is that boundaries and type are right."""

    type: str
    start: int
    end: int
    confidence: float


class Word:
    """The answer to one word. Numbers that were not computed are NaN, what does not apply is None."""

    __slots__ = ("_answers", "_at")

    def __init__(self, answers: Answers, at: int) -> None:
        self._answers = answers
        self._at = at

    @property
    def label(self) -> str | None:
        """Its label, or in a tree the relation to its head."""
        return self._answers._name(self._answers.labels[self._at])

    @property
    def relation(self) -> str | None:
        """The relation to its head; None if the answer is no tree."""
        return self.label if self._answers.trees else None

    @property
    def head(self) -> int | None:
        """Its head: 0 the root, else a word from 1; None if the answer is no tree."""
        return self._answers.heads[self._at] if self._answers.trees else None

    @property
    def confidence(self) -> float:
        """The confidence in its label or head, by the first method."""
        return float(self._answers.confidence[self._at])

    @property
    def confidences(self) -> dict[str, float]:
        """The same by every method."""
        return {name: column[self._at] for name, column in self._answers.confidences.items()}

    @property
    def relation_confidence(self) -> float:
        """In a tree, the confidence in the relation if the head is right, by the first method."""
        column = next(iter(self._answers.relation_confidences.values()), None)
        return float(column[self._at]) if column else NAN

    @property
    def doubtful(self) -> bool:
        """Whether its confidence is below the option `threshold`."""
        return bool(self._answers.doubtful[self._at])

    @property
    def alternatives(self) -> list[tuple[str | int | None, float]]:
        """The likeliest labels, or in a tree heads, with their probabilities."""
        return self._choices(self._answers._alternatives)

    @property
    def set(self) -> list[tuple[str | int | None, float]]:
        """With the option `sets`, choices that hold the right one as often as the model's coverage says."""
        return self._choices(self._answers._sets)

    def _choices(self, choices: _Choices) -> list[tuple[str | int | None, float]]:
        here = range(choices.offsets[self._at], choices.offsets[self._at + 1])
        if self._answers.trees:
            return [(choices.heads[i], choices.probabilities[i]) for i in here]
        return [(self._answers._name(choices.labels[i]), choices.probabilities[i]) for i in here]

    def __repr__(self) -> str:
        head = f"head={self.head}, " if self._answers.trees else ""
        return f"Word({head}label={self.label!r}, confidence={self.confidence:.6g})"


class Sentence(Sequence[Word]):
    """The answer to one sentence: a sequence of words."""

    __slots__ = ("_answers", "_index", "_words")

    def __init__(self, answers: Answers, index: int) -> None:
        self._answers = answers
        self._index = index
        self._words = range(answers.offsets[index], answers.offsets[index + 1])

    def __len__(self) -> int:
        return len(self._words)

    @overload
    def __getitem__(self, at: int) -> Word: ...
    @overload
    def __getitem__(self, at: slice) -> list[Word]: ...
    def __getitem__(self, at: int | slice) -> Word | list[Word]:
        if isinstance(at, slice):
            return [Word(self._answers, i) for i in self._words[at]]
        return Word(self._answers, self._words[at])

    @property
    def labels(self) -> list[str | None]:
        """The labels, or in a tree relations, of its words."""
        return [self._answers._name(self._answers.labels[i]) for i in self._words]

    @property
    def heads(self) -> list[int] | None:
        """The heads of its words; None if the answer is no tree."""
        return [self._answers.heads[i] for i in self._words] if self._answers.trees else None

    @property
    def confidence(self) -> float:
        """The confidence in the whole answer, by the first method."""
        return next(iter(self.confidences.values()), NAN)

    @property
    def confidences(self) -> dict[str, float]:
        """The same by every method."""
        return {name: column[self._index] for name, column in self._answers.sentence_confidences.items()}

    @property
    def spans(self) -> list[Span]:
        """The chunks that its labels spell, with their confidence by the first method."""
        a = self._answers
        confidence = next(iter(a.span_confidences.values()), None)
        return [
            Span(a.names[a.span_types[i]], a.span_starts[i], a.span_ends[i], confidence[i] if confidence else NAN)
            for i in range(a.span_offsets[self._index], a.span_offsets[self._index + 1])
        ]

    def __repr__(self) -> str:
        return f"Sentence({list(self)!r})"


class Answers(Sequence[Sentence]):
    """The answers to the sentences of one call: a sequence of them, over flat arrays.

    names           labels and types of chunks; arrays hold their numbers, -1 for none
    methods         the methods of confidence; calibrated[m] tells whether their numbers are probabilities
    trees           whether the answers are trees
    offsets         int64, one more than sentences
    labels, heads   int32, one a word; heads is empty if the answers are no trees
    doubtful        uint8, one a word
    confidence      float64, one a word, by the first method; NaN where it was not computed
    confidences, relation_confidences, sentence_confidences, span_confidences
                    such arrays by the name of the method
    span_offsets    int64, one more than sentences
    span_types, span_starts, span_ends
                    int32, one a chunk
    """

    def __init__(self, raw: dict[str, Any]) -> None:
        self._raw = raw
        self.names: tuple[str, ...] = tuple(raw["names"])
        self.methods: tuple[str, ...] = tuple(name for name, _ in raw["methods"])
        self.calibrated: tuple[bool, ...] = tuple(calibrated for _, calibrated in raw["methods"])
        self.trees: bool = raw["trees"]
        self.offsets = _column(raw["offsets"], "q")
        self.labels = _column(raw["label"], "i")
        self.heads = _column(raw["head"], "i")
        self.doubtful = _column(raw["doubtful"], "B")
        self.confidences = self._by_method("confidence")
        self.relation_confidences = self._by_method("relation_confidence") if self.trees else {}
        self.sentence_confidences = self._by_method("sentence_confidence")
        self.confidence = next(iter(self.confidences.values()), None) or self._unknown()
        self.span_offsets = _column(raw["span_offsets"], "q")
        self.span_starts = _column(raw["span_start"], "i")
        self.span_ends = _column(raw["span_end"], "i")
        self.span_types = _column(raw["span_type"], "i")
        self.span_confidences = self._by_method("span_confidence")
        self._alternatives = _Choices(raw["alternatives"])
        self._sets = _Choices(raw["sets"])

    def _by_method(self, key: str) -> dict[str, memoryview]:
        return {name: _column(data, "d") for name, data in zip(self.methods, self._raw[key])}

    def _unknown(self) -> memoryview:
        return _column((array("d", [NAN]) * len(self.labels)).tobytes(), "d")

    def _name(self, number: int) -> str | None:
        return self.names[number] if number >= 0 else None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, at: int) -> Sentence: ...
    @overload
    def __getitem__(self, at: slice) -> list[Sentence]: ...
    def __getitem__(self, at: int | slice) -> Sentence | list[Sentence]:
        if isinstance(at, slice):
            return [Sentence(self, i) for i in range(len(self))[at]]
        return Sentence(self, range(len(self))[at])

    def __reduce__(self) -> tuple[type[Answers], tuple[dict[str, Any]]]:
        return Answers, (self._raw,)

    def __repr__(self) -> str:
        return f"<vouch.Answers: {len(self)} sentences, {len(self.labels)} words>"
