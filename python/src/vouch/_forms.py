"""Answers with what their arrays lack: the texts of sentences, and, where scores were judged, the words."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from ._answers import Answers, Source


def with_texts(source: Source, texts: Sequence[str] | None) -> Answers:
    """Answers whose spans are found in these texts; every word must be in its text, behind the one before."""
    if texts is None:
        return Answers(source)
    given = tuple(texts)
    if len(given) != len(source) or not all(isinstance(text, str) for text in given):
        raise ValueError(f"texts: expected a str for each of {len(source)} sentences, found {len(given)}")
    answers = Answers(source, given)
    for sentence in answers:
        sentence._places()
    return answers


class WithWords:
    """Answers to scores, and the words that the scores are of."""

    def __init__(self, source: Source, words: Iterable[Iterable[Any]]) -> None:
        self._source = source
        self._forms = [[_form(word) for word in sentence] for sentence in words]
        bounds = source.column("offsets").tolist()
        lengths = [end - first for first, end in zip(bounds, bounds[1:])]
        found = list(map(len, self._forms))
        if found != lengths:
            wrong = next((i for i, (a, b) in enumerate(zip(lengths, found)) if a != b), None)
            if wrong is None:
                raise ValueError(f"words: expected {len(lengths)} sentences, as scores have, found {len(found)}")
            raise ValueError(
                f"words of sentence {wrong + 1}: expected {lengths[wrong]}, as scores have, found {found[wrong]}"
            )

    @property
    def names(self) -> tuple[str, ...]:
        return self._source.names

    @property
    def methods(self) -> tuple[tuple[str, bool], ...]:
        return self._source.methods

    @property
    def trees(self) -> bool:
        return self._source.trees

    def __len__(self) -> int:
        return len(self._source)

    def column(self, name: str, method: int = 0, /) -> Any:
        if name not in ("form_offsets", "form_bytes"):
            return self._source.column(name, method)
        forms = [form.encode() for sentence in self._forms for form in sentence]
        if name == "form_bytes":
            return memoryview(b"".join(forms))
        offsets = array("q", [0])
        for form in forms:
            offsets.append(offsets[-1] + len(form))
        return memoryview(offsets)

    def labels_of(self, sentence: int, /) -> list[str | None]:
        return self._source.labels_of(sentence)

    def forms_of(self, sentence: int, /) -> list[str | None]:
        return list(self._forms[sentence])


def _form(word: Any) -> str:
    """A word that is a str, or a tuple of columns that begins with it."""
    form = word if isinstance(word, str) else next(iter(word), None)
    if not isinstance(form, str) or not form:
        raise TypeError(f"words: expected str, or tuples that begin with one, found {word!r}")
    return form
