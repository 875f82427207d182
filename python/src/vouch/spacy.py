"""A component of spaCy that labels with a model of vouch. spaCy finds it by itself, as the factory "vouch":

    nlp = spacy.blank("en")
    nlp.add_pipe("vouch", config={"model": "ner.vouch"})
    doc = nlp("Ada lives in Paris.")
    for entity in doc.ents:
        print(entity.text, entity.label_, entity._.confidence)

Every token has its confidence in `token._.confidence`, every sentence of the document is answered by itself if
something before set their bounds, else the document is one. Chunks become doc.ents, and their confidences are also in
doc.spans["vouch"].attrs["scores"]. A model of the task "pos" sets token.tag_ instead. Where a model reads two columns,
the second is token.tag_. The model is written and read with the pipeline (nlp.to_disk, nlp.to_bytes).

Entities whose confidence is below the setting `threshold` are left out of doc.ents, but are in doc.spans["vouch"].
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._answers import NAN, Sentence
from ._model import Model, load

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["Component", "make"]

KEY = "vouch"


class Component:
    """Labels documents. Made by nlp.add_pipe("vouch"); without `model` it must be read from a pipeline's folder."""

    def __init__(self, name: str, model: str | None, threshold: float, threads: int) -> None:
        self.name = name
        self.threshold = threshold
        self.threads = threads
        self.model: Model | None = None if model is None else load(model)

    @property
    def threshold(self) -> float:
        """The confidence below which entities are left out of doc.ents."""
        threshold: float = self._threshold
        return threshold

    @threshold.setter
    def threshold(self, value: float) -> None:
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 <= value <= 1:
            raise ValueError(f"threshold: expected a number from 0 to 1, found {value!r}")
        self._threshold: float = float(value)

    def __call__(self, doc: Doc) -> Doc:
        self._annotate([doc])
        return doc

    def pipe(self, stream: Iterable[Doc], batch_size: int = 256) -> Iterator[Doc]:
        """Labels documents, some hundreds at once."""
        documents = iter(stream)
        while batch := list(islice(documents, batch_size)):
            self._annotate(batch)
            yield from batch

    def to_bytes(self, **_: Any) -> bytes:
        return self._loaded().to_bytes()

    def from_bytes(self, data: bytes, **_: Any) -> Component:
        self.model = load(data)
        return self

    def to_disk(self, path: str | Path, **_: Any) -> None:
        Path(path).mkdir(exist_ok=True)
        self._loaded().save(Path(path, "model.vouch"))

    def from_disk(self, path: str | Path, **_: Any) -> Component:
        self.model = load(Path(path, "model.vouch"))
        return self

    def _loaded(self) -> Model:
        if self.model is None:
            raise ValueError(f"component {self.name!r}: expected a model, found none: set 'model' in its config")
        return self.model

    def _annotate(self, docs: list[Doc]) -> None:
        model = self._loaded()
        parts = [(doc, start, end) for doc in docs for start, end in _sentences(doc)]
        words = [_words(model, doc, start, end) for doc, start, end in parts]
        answers = model.tag(words, threads=self.threads)
        found: dict[int, list[tuple[Any, float]]] = {id(doc): [] for doc in docs}
        for (doc, start, end), sentence in zip(parts, answers):
            found[id(doc)] += _answer(doc, start, sentence)
            for token, label in zip(doc[start:end], sentence.labels if model.task == "pos" else []):
                token.tag_ = label or ""
        for doc in docs if model.task != "pos" else []:
            self._set_entities(doc, found[id(doc)])

    def _set_entities(self, doc: Doc, found: list[tuple[Any, float]]) -> None:
        from spacy.tokens import SpanGroup

        spans = [span for span, _ in found]
        scores = [score for _, score in found]
        doc.spans[KEY] = SpanGroup(doc, name=KEY, attrs={"scores": scores}, spans=spans)
        doc.set_ents([span for span, score in found if not score < self.threshold])


def _sentences(doc: Doc) -> list[tuple[int, int]]:
    """The bounds of its sentences, or of the whole; none if it has no words."""
    if doc.has_annotation("SENT_START"):
        return [(sentence.start, sentence.end) for sentence in doc.sents]
    return [(0, len(doc))] if len(doc) else []


def _words(model: Model, doc: Doc, start: int, end: int) -> list[Any]:
    tokens = doc[start:end]
    if model.takes_attributes or model.columns > 2:
        raise ValueError(
            "expected a model that reads words, or words and parts of speech, found one that reads "
            + ("ready-made features" if model.takes_attributes else f"{model.columns} columns")
        )
    # White space is a token of spaCy, and no word for vouch.
    words = [token.text if token.text.strip() else "_" for token in tokens]
    return [(word, token.tag_ or "_") for word, token in zip(words, tokens)] if model.columns == 2 else words


def _answer(doc: Doc, start: int, sentence: Sentence) -> list[tuple[Any, float]]:
    """Notes the confidences of the tokens; returns the spans with theirs."""
    from spacy.tokens import Span

    for i, word in enumerate(sentence):
        doc[start + i]._.confidence = word.confidence
    found: list[tuple[Any, float]] = []
    for chunk in sentence.spans:
        span = Span(doc, start + chunk.start, start + chunk.end, label=chunk.type)
        span._.confidence = chunk.confidence
        found.append((span, chunk.confidence))
    return found


def make(nlp: Language, name: str, model: str | None, threshold: float, threads: int) -> Component:
    """What nlp.add_pipe("vouch") calls."""
    return Component(name, model, threshold, threads)


def _register() -> None:
    """Tells spaCy of the factory and the extensions."""
    from spacy.language import Language
    from spacy.tokens import Span, Token

    for kind in (Token, Span):
        if not kind.has_extension("confidence"):
            kind.set_extension("confidence", default=NAN)
    Language.factory(
        KEY,
        assigns=["doc.ents", "token._.confidence", "span._.confidence"],
        default_config={"model": None, "threshold": 0.0, "threads": 1},
        func=make,
    )


_register()
