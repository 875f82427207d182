"""Vectors of words: in memory as in files, by any kind of array, and those that do not fit."""

import math
from array import array
from pathlib import Path
from typing import Any

import pytest
from conftest import Command, rows

import vouch
from vouch import active

Words = list[list[str]]


def vector(word: str) -> list[float]:
    """Three numbers that tell something of a word."""
    return [float(word[0].isupper()), word[0].isdigit() - 0.5, ("e" in word) * 0.1]


def view(sentence: list[str], code: str = "f") -> Any:
    numbers = array(code, [x for word in sentence for x in vector(word)])
    return memoryview(numbers).cast("B").cast(code, (len(sentence), 3))


def read(folder: Path, name: str) -> tuple[Words, Words]:
    found = rows((folder / name).read_text(encoding="utf-8"))
    return [[row[0] for row in s] for s in found], [[row[-1] for row in s] for s in found]


@pytest.fixture(scope="module")
def corpus(ner_path: Path, folder: Path) -> tuple[Words, Words]:
    return read(folder, "ner.train")


@pytest.fixture(scope="module")
def model(corpus: tuple[Words, Words]) -> vouch.Model:
    words, labels = corpus
    return vouch.train(words, task="ner", labels=labels, passes=2, vectors=list(map(view, words)))


def test_files_and_memory_are_the_same(
    model: vouch.Model, corpus: tuple[Words, Words], command: Command, folder: Path
) -> None:
    numpy = pytest.importorskip("numpy")
    assert model.dimensions == 3
    new, gold = read(folder, "ner.test")
    for name, sentences, labels in (("v.train", *corpus), ("v.test", new, gold)):
        lines = ["".join(f"{w} {x}\n" for w, x in zip(s, row)) for s, row in zip(sentences, labels)]
        (folder / name).write_text("\n".join(lines), encoding="utf-8")
        rows_of_all = [vector(word) for sentence in sentences for word in sentence]
        numpy.save(folder / f"{name}.npy", numpy.array(rows_of_all, dtype="float32"))
    command("train", "-q", "-t", "ner", "-n", "2", "--vectors", "v.train.npy", "-o", "v.vouch", "v.train")
    text = command("tag", "-q", "-m", "v.vouch", "--vectors", "v.test.npy", "v.test")
    packed = numpy.load(folder / "v.test.npy")
    answers = model.tag(new, vectors=packed)
    assert [[row[2] for row in s] for s in rows(text)] == [s.labels for s in answers]
    assert [f"{float(row[3]):.6f}" for s in rows(text) for row in s] == [f"{x:.6f}" for x in answers.confidence]
    for source, more in (((folder / "v.train",), {"vectors": folder / "v.train.npy"}),
                         ((corpus[0], None, corpus[1]), {"vectors": numpy.load(folder / "v.train.npy")})):  # fmt: skip
        same = vouch.train(source[0], "ner", *source[2:], passes=2, **more)
        assert same.tag(new, vectors=packed).confidence == answers.confidence
    scores = model.evaluate(new, gold, vectors=packed)
    assert scores == model.evaluate(folder / "v.test", vectors=str(folder / "v.test.npy"))
    assert model.tune(new, gold, vectors=packed).dimensions == 3
    assert len(active.next(model, new, vectors=packed, number=3)) == 3
    assert len(model.review(new, gold, vectors=packed, inspect=2)) <= 2


def test_every_kind_of_array(model: vouch.Model, folder: Path) -> None:
    new, _ = read(folder, "ner.test")
    expected = model.tag(new, vectors=list(map(view, new)))
    flat = [word for sentence in new for word in sentence]
    kinds = [view(flat), [view(s, "d") for s in new], [[vector(word) for word in s] for s in new]]
    for given in kinds:
        assert model.tag(new, vectors=given).confidence == expected.confidence
    assert model.tag(iter(new), vectors=iter(map(view, new)), threads=2).confidence == expected.confidence
    streamed = [w.confidence for s in model.stream(new, vectors=map(view, new), block=7) for w in s]
    assert streamed == list(expected.confidence)
    other = model.tag(new, vectors=[[[-x for x in vector(word)] for word in s] for s in new])
    assert other.confidence != expected.confidence
    numpy = pytest.importorskip("numpy")
    rows_of_all = numpy.array([vector(word) for word in flat])
    for array_of in (rows_of_all, rows_of_all.astype("float32"), numpy.asfortranarray(rows_of_all)):
        assert model.tag(new, vectors=array_of).confidence == expected.confidence
    assert len(model.tag([], vectors=[])) == 0 and len(model.tag([[], ["a"]], vectors=[[], [[0, 0, 0]]])[1]) == 1
    assert len(model.tag([["a"]], vectors=[rows_of_all[:1].astype("float16")])) == 1


def test_wrong_vectors(model: vouch.Model, ner: vouch.Model, corpus: tuple[Words, Words]) -> None:
    sentences = [["Ada", "left"], ["Ada"]]
    good = list(map(view, sentences))
    for wrong, kind, message in [
        (good[:1], ValueError, "2 sentences, found 1"), ([*good, good[0]], ValueError, "2 sentences, found 3"),
        ([good[1], good[0]], ValueError, r"sentence 1: expected an array \[2, 3\].*found \[1, 3\]"),
        (view(["Ada"]), ValueError, r"\[3, 3\].*found \[1, 3\]"), ([[[1.0, 2.0]] * 2, [[1.0, 2.0]]], ValueError, "3"),
        ([good[0], array("f", [1, 2, 3])], ValueError, r"found \[3\]"),
        ([good[0], [[1, 2, math.nan]]], ValueError, "sentence 2"),
        ("x.npy", TypeError, "array"), (3, TypeError, "array"), ([good[0], array("i", [1])], TypeError, "float32"),
        ([good[0], None], TypeError, "vectors of sentence 2"), (None, ValueError, "a vector of 3"),
    ]:  # fmt: skip
        with pytest.raises(kind, match=message):
            model.tag(sentences, vectors=wrong)
    with pytest.raises(ValueError, match="without"):
        ner.tag([[("Ada", "NNP")]], vectors=[[[1.0]]])
    with pytest.raises(ValueError, match="sentence 2"):
        list(model.stream(sentences, vectors=[good[0], good[0]], block=2))
    words, labels = corpus
    for wrong in ([view(words[0])], [[[1.0]], [[1.0, 2.0]]], [[1.0]], [], array("f", [1.0])):
        with pytest.raises((ValueError, vouch.Error), match="vectors|words|rows"):
            vouch.train(words, task="ner", labels=labels, passes=1, vectors=wrong)
