"""The component of spaCy."""

import math
from pathlib import Path

import pytest
from conftest import Command, rows

import vouch
from vouch.sklearn import Tagger

spacy = pytest.importorskip("spacy", reason="skipped: spaCy is not installed")
import vouch.spacy  # noqa: E402  (an installed package needs no import: spaCy finds the factory)

Texts = list[list[str]]


@pytest.fixture(scope="module")
def texts(command: Command) -> Texts:
    return [[row[0] for row in s] for s in rows(command("sample", "--kind", "ner", "-n", "40", "--first", "200"))]


@pytest.fixture(scope="module")
def path(command: Command, folder: Path) -> Path:
    sentences = rows(command("sample", "--kind", "ner", "-n", "150"))
    X, y = ([[row[i] for row in s] for s in sentences] for i in (0, -1))
    Tagger(passes=3, model_filename=str(folder / "words.vouch")).fit(X, y)
    return folder / "words.vouch"


def test_entities(path: Path, texts: Texts) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("vouch", config={"model": str(path)})
    docs = list(nlp.pipe(spacy.tokens.Doc(nlp.vocab, words=words) for words in texts))
    answers = vouch.load(path).tag(texts)
    assert sum(len(doc.ents) for doc in docs) > 20
    for doc, sentence in zip(docs, answers):
        assert [(e.label_, e.start, e.end) for e in doc.ents] == [(s.type, s.start, s.end) for s in sentence.spans]
        assert [e._.confidence for e in doc.ents] == [s.confidence for s in sentence.spans]
        assert [t._.confidence for t in doc] == [word.confidence for word in sentence]
        assert doc.spans["vouch"].attrs["scores"] == [s.confidence for s in sentence.spans]
    again = nlp(spacy.tokens.Doc(nlp.vocab, words=texts[0]))
    assert [t._.confidence for t in again] == [t._.confidence for t in docs[0]]
    assert len(nlp("")) == 0 and len(nlp("Ada  left.\n")) == 5


def test_threshold_and_sentences(path: Path, texts: Texts) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("vouch", config={"model": str(path), "threshold": 0.8, "threads": 2})
    words = [word for sentence in texts[:3] for word in sentence]
    starts = [i == 0 for sentence in texts[:3] for i in range(len(sentence))]
    doc = nlp(spacy.tokens.Doc(nlp.vocab, words=words, sent_starts=starts))
    expected = [span for sentence in vouch.load(path).tag(texts[:3]) for span in sentence.spans]
    assert [s.label_ for s in doc.spans["vouch"]] == [s.type for s in expected]
    assert [e._.confidence for e in doc.ents] == [s.confidence for s in expected if s.confidence >= 0.8]


def test_written_and_read(path: Path, texts: Texts, tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("vouch", config={"model": str(path)})
    nlp.config["components"]["vouch"]["model"] = None
    expected = [t._.confidence for t in nlp(spacy.tokens.Doc(nlp.vocab, words=texts[0]))]
    nlp.to_disk(tmp_path / "pipeline")
    for other in (spacy.load(tmp_path / "pipeline"), spacy.blank("en")):
        if not other.has_pipe("vouch"):
            other.add_pipe("vouch")
            other.from_bytes(nlp.to_bytes())
        assert [t._.confidence for t in other(spacy.tokens.Doc(other.vocab, words=texts[0]))] == expected


def test_parts_of_speech(command: Command, folder: Path) -> None:
    sentences = rows(command("sample", "--kind", "ner", "-n", "100"))
    X, y = ([[row[i] for row in s] for s in sentences] for i in (0, 1))
    Tagger(passes=2, calibrate=False, model_filename=str(folder / "pos.vouch")).fit(X, y)
    nlp = spacy.blank("en")
    nlp.add_pipe("vouch", config={"model": str(folder / "pos.vouch")})
    doc = nlp(spacy.tokens.Doc(nlp.vocab, words=X[0]))
    assert [t.tag_ for t in doc] == vouch.load(folder / "pos.vouch").tag(X[:1])[0].labels
    assert all(math.isnan(t._.confidence) for t in doc), "a model that was not calibrated names no method"


def test_without_a_model(dep: vouch.Model, tmp_path: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("vouch")
    with pytest.raises(ValueError, match="expected a model, found none"):
        nlp("Ada left.")
    dep.save(tmp_path / "dep.vouch")
    nlp = spacy.blank("en")
    nlp.add_pipe("vouch", config={"model": str(tmp_path / "dep.vouch")})
    with pytest.raises(ValueError, match="parses"):
        nlp("Ada left.")


@pytest.mark.parametrize("wrong", [-0.1, 1.5, float("nan"), True])
def test_wrong_thresholds(path: Path, wrong: float) -> None:
    nlp = spacy.blank("en")
    component = nlp.add_pipe("vouch", config={"model": str(path)})
    with pytest.raises(ValueError, match="threshold: expected a number from 0 to 1"):
        component.threshold = wrong
    assert component.threshold == 0
    with pytest.raises(ValueError, match="threshold"):
        vouch.spacy.Component("vouch", None, wrong, 1)
