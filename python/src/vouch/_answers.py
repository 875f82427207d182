"""Answers: flat arrays of all words of all sentences, which also read like a list of sentences of words.

Arrays are read-only memoryviews of what the library has written: numpy.asarray(answers.confidence) copies nothing. The
words of sentence i are offsets[i] up to offsets[i + 1] - 1, its chunks span_offsets[i] up to span_offsets[i + 1] - 1.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple, Protocol, SupportsIndex, overload

from ._needs import needed

NAN = float("nan")
_DOUBT = 0.9


class Source(Protocol):
    """What answers are read from: vouch._core.Arrays, or _Kept."""

    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def methods(self) -> tuple[tuple[str, bool], ...]: ...
    @property
    def trees(self) -> bool: ...
    def __len__(self) -> int: ...
    def column(self, name: str, method: int = 0, /) -> Any: ...
    def labels_of(self, sentence: int, /) -> list[str | None]: ...
    def forms_of(self, sentence: int, /) -> list[str | None]: ...


_COLUMNS = {
    "offsets": "q", "label": "i", "head": "i", "doubtful": "B", "span_offsets": "q", "span_start": "i",
    "span_end": "i", "span_type": "i", "form_offsets": "q", "form_bytes": "B",
    "alternative_offsets": "q", "alternative_label": "i", "alternative_head": "i", "alternative_probability": "d",
    "set_offsets": "q", "set_label": "i", "set_head": "i", "set_probability": "d",
    "relation_set_offsets": "q", "relation_set_label": "i", "relation_set_head": "i", "relation_set_probability": "d",
}  # fmt: skip
_BY_METHOD = ("confidence", "relation_confidence", "sentence_confidence", "span_confidence")


class _Kept:
    """Answers that were pickled: the same columns, as bytes."""

    def __init__(
        self, names: tuple[str, ...], methods: tuple[tuple[str, bool], ...], trees: bool, columns: dict[str, bytes]
    ) -> None:
        self.names = names
        self.methods = methods
        self.trees = trees
        self._columns = columns

    @classmethod
    def of(cls, source: Source) -> _Kept:
        columns = {name: source.column(name).tobytes() for name in _COLUMNS}
        for m in range(len(source.methods)):
            columns |= {f"{name} {m}": source.column(name, m).tobytes() for name in _BY_METHOD}
        return cls(source.names, source.methods, source.trees, columns)

    def __len__(self) -> int:
        return len(self._columns["offsets"]) // 8 - 1

    def column(self, name: str, method: int = 0, /) -> Any:
        view: Any = memoryview(self._columns[name if name in _COLUMNS else f"{name} {method}"])
        return view.cast(_COLUMNS.get(name, "d"))

    def _words(self, sentence: int) -> range:
        offsets = self.column("offsets")
        return range(offsets[sentence], offsets[sentence + 1])

    def labels_of(self, sentence: int, /) -> list[str | None]:
        labels = self.column("label")
        return [self.names[labels[i]] if labels[i] >= 0 else None for i in self._words(sentence)]

    def forms_of(self, sentence: int, /) -> list[str | None]:
        offsets, data = self.column("form_offsets"), self._columns["form_bytes"]
        known = len(offsets) - 1
        return [
            (data[offsets[i] : offsets[i + 1]].decode() if i < known else "") or None for i in self._words(sentence)
        ]


def joined(parts: Sequence[Source]) -> Source:
    """The answers of several calls of one request, one behind the other."""
    if len(parts) == 1:
        return parts[0]
    names = tuple(dict.fromkeys(name for part in parts for name in part.names))
    number = {name: at for at, name in enumerate(names)}
    columns: dict[str, bytes] = {}
    for key, form in _COLUMNS.items():
        column = array(form)
        for part in parts:
            given = part.column(key)
            if key.endswith("offsets") and len(given):
                first = column.pop() if column else 0
                column.extend(first + offset for offset in given)
            elif key.endswith(("label", "type")) and part.names != names:
                column.extend(number[part.names[i]] if i >= 0 else i for i in given)
            else:
                column.frombytes(given.tobytes())
        columns[key] = column.tobytes()
    for m in range(len(parts[0].methods)):
        columns |= {f"{key} {m}": b"".join(part.column(key, m).tobytes() for part in parts) for key in _BY_METHOD}
    return _Kept(names, parts[0].methods, parts[0].trees, columns)


class Choices:
    """For every word some choices, the likeliest first: those of word i are offsets[i] up to offsets[i + 1] - 1."""

    def __init__(self, source: Source, kind: str) -> None:
        self._made_of = source, kind
        self.offsets: memoryview[int] = source.column(f"{kind}_offsets")
        self.labels: memoryview[int] = source.column(f"{kind}_label")
        self.heads: memoryview[int] = source.column(f"{kind}_head")
        self.probabilities: memoryview[float] = source.column(f"{kind}_probability")

    def __reduce__(self) -> tuple[type[Choices], tuple[Any, ...]]:
        source, kind = self._made_of
        return Choices, (_Kept.of(source), kind)

    def __repr__(self) -> str:
        return f"<vouch.Choices: {len(self.probabilities)} of {len(self.offsets) - 1} words>"


class Span(NamedTuple):
    """A chunk: words start .. end - 1 of its sentence; confidence is that boundaries and type are right.

    `text` is text[start_char:end_char] of the sentence's text: the one that was given, else its words joined by blanks.
    All three are None if the sentence was given as features, without its words. `sentence` is the sentence's place in
    the answers, from 0.
    """

    type: str
    start: int
    end: int
    confidence: float
    text: str | None = None
    start_char: int | None = None
    end_char: int | None = None
    sentence: int = 0


class Best(NamedTuple):
    """One of the best whole answers to a sentence: labels of its words, or in a tree relations, and heads; else None.

    The probability is that all labels are right, or in a tree all heads.
    """

    labels: list[str | None]
    heads: list[int] | None
    probability: float


class Spans(list[Span]):
    """Chunks of one sentence or of all: a list, which a notebook shows as a table."""

    @overload
    def __getitem__(self, at: SupportsIndex) -> Span: ...
    @overload
    def __getitem__(self, at: slice) -> Spans: ...
    def __getitem__(self, at: SupportsIndex | slice) -> Span | Spans:
        return Spans(super().__getitem__(at)) if isinstance(at, slice) else super().__getitem__(at)

    def to_pandas(self) -> Any:
        """A data frame of pandas with a row for each chunk."""
        frame = needed("pandas", "to_pandas()").DataFrame(self, columns=Span._fields)
        return frame[["sentence", *Span._fields[:-1]]]

    def _repr_html_(self) -> str:
        from ._html import spans

        return spans(self)


class Word:
    """The answer to one word. Numbers that were not computed are NaN, what does not apply is None."""

    __slots__ = ("_answers", "_at", "_index")

    def __init__(self, answers: Answers, index: int, at: int) -> None:
        self._answers = answers
        self._index = index
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
    def form(self) -> str | None:
        """The word itself; None if it was given as features."""
        return self._answers._source.forms_of(self._index)[self._at - self._answers.offsets[self._index]]

    @property
    def alternatives(self) -> list[tuple[str | int | None, float]]:
        """The likeliest labels, or in a tree heads, with their probabilities."""
        return self._choices(self._answers.alternatives)

    @property
    def set(self) -> list[tuple[str | int | None, float]]:
        """With the option `sets`, choices that hold the right one as often as the model's coverage says."""
        return self._choices(self._answers.sets)

    @property
    def relation_set(self) -> list[tuple[str | None, float]]:
        """The same of relations, in a tree whose model found thresholds for them; else empty."""
        sets = self._answers.relation_sets
        here = range(sets.offsets[self._at], sets.offsets[self._at + 1])
        return [(self._answers._name(sets.labels[i]), sets.probabilities[i]) for i in here]

    def _choices(self, choices: Choices) -> list[tuple[str | int | None, float]]:
        here = range(choices.offsets[self._at], choices.offsets[self._at + 1])
        if self._answers.trees:
            return [(choices.heads[i], choices.probabilities[i]) for i in here]
        return [(self._answers._name(choices.labels[i]), choices.probabilities[i]) for i in here]

    def __repr__(self) -> str:
        head = f"head={self.head}, " if self._answers.trees else ""
        return f"Word({self.form!r}, {head}label={self.label!r}, confidence={self.confidence:.6g})"


class Sentence(Sequence[Word]):
    """The answer to one sentence: a sequence of words."""

    __slots__ = ("_answers", "_index")

    def __init__(self, answers: Answers, index: int) -> None:
        self._answers = answers
        self._index = index

    @property
    def _words(self) -> range:
        return range(self._answers.offsets[self._index], self._answers.offsets[self._index + 1])

    def __len__(self) -> int:
        return len(self._words)

    @overload
    def __getitem__(self, at: int) -> Word: ...
    @overload
    def __getitem__(self, at: slice) -> list[Word]: ...
    def __getitem__(self, at: int | slice) -> Word | list[Word]:
        if isinstance(at, slice):
            return [Word(self._answers, self._index, i) for i in self._words[at]]
        return Word(self._answers, self._index, self._words[at])

    def __iter__(self) -> Iterator[Word]:
        return (Word(self._answers, self._index, i) for i in self._words)

    @property
    def labels(self) -> list[str | None]:
        """The labels, or in a tree relations, of its words."""
        return self._answers._source.labels_of(self._index)

    @property
    def forms(self) -> list[str | None]:
        """Its words; None for those that were given as features."""
        return self._answers._source.forms_of(self._index)

    @property
    def text(self) -> str | None:
        """Its text as it was given, else its words joined by blanks; None if they were given as features."""
        return self._places()[0]

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
    def spans(self) -> Spans:
        """The chunks that its labels spell, with their confidence by the first method."""
        a, spans = self._answers, Spans()
        here = range(a.span_offsets[self._index], a.span_offsets[self._index + 1])
        if not here:
            return spans
        text, places = self._places()
        confidence = next(iter(a.span_confidences.values()), None)
        for i in here:
            start, end, sure = a.span_starts[i], a.span_ends[i], confidence[i] if confidence else NAN
            if text is None:
                spans.append(Span(a.names[a.span_types[i]], start, end, sure, sentence=self._index))
            else:
                first, last = places[start][0], places[end - 1][1]
                named = Span(a.names[a.span_types[i]], start, end, sure, text[first:last], first, last, self._index)
                spans.append(named)
        return spans

    def _places(self) -> tuple[str | None, list[tuple[int, int]]]:
        """The sentence's text, and where each word is in it."""
        forms = [form for form in self.forms if form is not None]
        if len(forms) < len(self):
            return None, []
        texts = self._answers.texts
        text = texts[self._index] if texts is not None else " ".join(forms)
        places, at = [], 0
        for number, form in enumerate(forms, 1):
            at = text.find(form, at)
            if at < 0:
                raise ValueError(
                    f"sentence {self._index + 1}, word {number}: expected {form!r} in its text after the words before"
                )
            places.append((at, at + len(form)))
            at += len(form)
        return text, places

    def _repr_html_(self) -> str:
        from ._html import sentence

        return sentence(self)

    def __repr__(self) -> str:
        """Its words with their labels, in a tree with heads too: `Ada/B-PER left/O`, `Ada/2:nsubj left/0:root`."""
        heads = [""] * len(self) if self.heads is None else [f"{head}:" for head in self.heads]
        words = [f"{form or '_'}/{head}{label or '_'}" for form, head, label in zip(self.forms, heads, self.labels)]
        sure = f"; confidence {self.confidence:.4g}" if self.confidence == self.confidence else ""
        return f"<vouch.Sentence: {' '.join(words)}{sure}>"


class Sentences(list[Sentence]):
    """Some sentences of the answers: a list, which a notebook shows as it shows all."""

    def _repr_html_(self) -> str:
        from ._html import sentences

        return sentences(self)


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
    alternatives, sets, relation_sets
                    choices of every word, as four such arrays: offsets, labels, heads, probabilities
    texts           the texts that were given, or None
    threshold       answers of less confidence are shown as doubtful in a notebook: the option `threshold`; if it was
                    not given, 0.9 where confidences are probabilities, else None, for none. It can be set
    """

    def __init__(self, source: Source, texts: Sequence[str] | None = None, threshold: float | None = None) -> None:
        self._source = source
        self.texts = texts
        self._threshold = threshold

    @property
    def threshold(self) -> float | None:
        if self._threshold is None and self._source.methods and self._source.methods[0][1]:
            return _DOUBT
        return self._threshold

    @threshold.setter
    def threshold(self, threshold: float | None) -> None:
        self._threshold = threshold

    @property
    def names(self) -> tuple[str, ...]:
        return self._source.names

    @property
    def methods(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._source.methods)

    @property
    def calibrated(self) -> tuple[bool, ...]:
        return tuple(calibrated for _, calibrated in self._source.methods)

    @property
    def trees(self) -> bool:
        return self._source.trees

    @cached_property
    def offsets(self) -> memoryview[int]:
        return self._numbers("offsets")

    @cached_property
    def labels(self) -> memoryview[int]:
        return self._numbers("label")

    @cached_property
    def heads(self) -> memoryview[int]:
        return self._numbers("head")

    @cached_property
    def doubtful(self) -> memoryview[int]:
        return self._numbers("doubtful")

    @cached_property
    def confidence(self) -> memoryview[float]:
        if self._source.methods:
            column: memoryview[float] = self._source.column("confidence", 0)
            return column
        return memoryview((array("d", [NAN]) * len(self.labels)).tobytes()).cast("d")

    @cached_property
    def confidences(self) -> dict[str, memoryview[float]]:
        return self._by_method("confidence")

    @cached_property
    def relation_confidences(self) -> dict[str, memoryview[float]]:
        return self._by_method("relation_confidence") if self.trees else {}

    @cached_property
    def sentence_confidences(self) -> dict[str, memoryview[float]]:
        return self._by_method("sentence_confidence")

    @cached_property
    def span_offsets(self) -> memoryview[int]:
        return self._numbers("span_offsets")

    @cached_property
    def span_starts(self) -> memoryview[int]:
        return self._numbers("span_start")

    @cached_property
    def span_ends(self) -> memoryview[int]:
        return self._numbers("span_end")

    @cached_property
    def span_types(self) -> memoryview[int]:
        return self._numbers("span_type")

    @cached_property
    def span_confidences(self) -> dict[str, memoryview[float]]:
        return self._by_method("span_confidence")

    @cached_property
    def alternatives(self) -> Choices:
        return Choices(self._source, "alternative")

    @cached_property
    def sets(self) -> Choices:
        return Choices(self._source, "set")

    @cached_property
    def relation_sets(self) -> Choices:
        return Choices(self._source, "relation_set")

    @property
    def spans(self) -> Spans:
        """The chunks of all sentences; the `sentence` of each tells where it is."""
        return Spans(span for sentence in self for span in sentence.spans)

    def to_pandas(self) -> Any:
        """A data frame of pandas with a row for each word.

        Columns are sentence and word, from 0, form, label (in trees head and relation), and confidence, which is that
        of the first method. With several methods each has a further column of its name.
        """
        pandas = needed("pandas", "to_pandas()")
        lengths = [len(sentence) for sentence in self]
        frame = {
            "sentence": [i for i, length in enumerate(lengths) for _ in range(length)],
            "word": [at for length in lengths for at in range(length)],
            "form": [form for i in range(len(self)) for form in self._source.forms_of(i)],
            **({"head": list(self.heads)} if self.trees else {}),
            "relation" if self.trees else "label": [self._name(label) for label in self.labels],
            "confidence": list(self.confidence),
        }
        if self.relation_confidences:
            frame["relation_confidence"] = list(next(iter(self.relation_confidences.values())))
        if len(self.methods) > 1:
            frame |= {name: list(column) for name, column in self.confidences.items()}
        return pandas.DataFrame(frame)

    def _repr_html_(self) -> str:
        from ._html import sentences

        return sentences(self)

    def _numbers(self, key: str) -> memoryview[int]:
        column: memoryview[int] = self._source.column(key)
        return column

    def _by_method(self, key: str) -> dict[str, memoryview[float]]:
        return {name: self._source.column(key, m) for m, (name, _) in enumerate(self._source.methods)}

    def _name(self, number: int) -> str | None:
        return self._source.names[number] if number >= 0 else None

    def __len__(self) -> int:
        return len(self._source)

    @overload
    def __getitem__(self, at: int) -> Sentence: ...
    @overload
    def __getitem__(self, at: slice) -> Sentences: ...
    def __getitem__(self, at: int | slice) -> Sentence | Sentences:
        if isinstance(at, slice):
            return Sentences(Sentence(self, i) for i in range(len(self))[at])
        count = len(self._source)
        if not -count <= at < count:
            raise IndexError(f"expected a sentence from 0 to {count - 1}, found {at}")
        return Sentence(self, at if at >= 0 else at + count)

    def __iter__(self) -> Iterator[Sentence]:
        return (Sentence(self, i) for i in range(len(self)))

    def __reduce__(self) -> tuple[type[Answers], tuple[Any, ...]]:
        return Answers, (_Kept.of(self._source), self.texts, self._threshold)

    def __repr__(self) -> str:
        return f"<vouch.Answers: {len(self)} sentences, {len(self.labels)} words>"
