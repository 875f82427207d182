"""vouch.huggingface: ner_tags in and out."""

from typing import Any

import pytest
from conftest import Command, rows

import vouch
from vouch.huggingface import annotate, from_ner_tags, names_of, to_ner_tags
from vouch.sklearn import Tagger


@pytest.fixture(scope="module")
def data(command: Command) -> tuple[list[dict[str, Any]], list[str]]:
    sentences = rows(command("sample", "--kind", "ner", "-n", "100"))
    names = sorted({row[-1] for sentence in sentences for row in sentence})
    return [
        {"tokens": [row[0] for row in s], "ner_tags": [names.index(row[-1]) for row in s]} for s in sentences
    ], names


def test_there_and_back(data: tuple[list[dict[str, Any]], list[str]]) -> None:
    dataset, names = data
    X, y = from_ner_tags(dataset, names)
    assert X == [row["tokens"] for row in dataset]
    assert to_ner_tags(y, names) == [row["ner_tags"] for row in dataset]
    model = Tagger(passes=2).fit(X, y).model_
    answers = model.tag(X)
    batch = {"tokens": X, "id": list(range(len(X)))}
    added = annotate(model, names)(batch)
    assert added["ner_tags"] == to_ner_tags(answers, names)
    assert added["confidence"] == [[word.confidence for word in sentence] for sentence in answers]


def test_wrong_input(data: tuple[list[dict[str, Any]], list[str]]) -> None:
    with pytest.raises(ValueError, match="row 1: expected 1 of 'ner_tags', found 0"):
        from_ner_tags([{"tokens": ["a"], "ner_tags": []}], ["O"])
    for tag in (1, -1):
        with pytest.raises(ValueError, match="row 1: expected numbers from 0 to 0"):
            from_ner_tags([{"tokens": ["a"], "ner_tags": [tag]}], ["O"])
    with pytest.raises(ValueError, match="found 'B-X'"):
        to_ner_tags([["B-X"]], ["O"])


def test_datasets(data: tuple[list[dict[str, Any]], list[str]]) -> None:
    datasets = pytest.importorskip("datasets", reason="skipped: datasets is not installed")
    plain, names = data
    kinds = datasets.Features(
        {
            "tokens": datasets.Sequence(datasets.Value("string")),
            "ner_tags": datasets.Sequence(datasets.ClassLabel(names=names)),
        }
    )
    dataset = datasets.Dataset.from_list(plain, features=kinds)
    assert names_of(dataset) == names
    X, y = from_ner_tags(dataset)
    model: vouch.Model = Tagger(passes=2).fit(X, y).model_
    labelled = dataset.map(annotate(model, names), batched=True, batch_size=30)
    assert labelled.features["ner_tags"] == kinds["ner_tags"]
    assert labelled["ner_tags"][:] == to_ner_tags(model.tag(X), names)
    with pytest.raises(ValueError, match="ClassLabel"):
        names_of(dataset, "tokens")
