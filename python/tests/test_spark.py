"""vouch.spark on a local Spark with two workers."""

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import rows

import vouch

pytest.importorskip("pyspark", reason="skipped: PySpark is not installed")
from pyspark.sql import SparkSession  # noqa: E402

import vouch.spark  # noqa: E402


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable  # for the workers, too
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    try:
        spark = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    except Exception as error:  # no Java
        pytest.skip(f"skipped: Spark does not start: {error}")
    yield spark
    spark.stop()


@pytest.fixture(scope="module", params=["mapInPandas", "mapPartitions"])
def way(request: pytest.FixtureRequest) -> Iterator[str]:
    """Both ways that rows travel."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "mapPartitions":
            patch.setattr(importlib.util, "find_spec", lambda name: None)
        else:
            pytest.importorskip("pandas", reason="skipped: pandas is not installed")
            pytest.importorskip("pyarrow", reason="skipped: pyarrow is not installed")
        yield request.param


def test_labels(session: Any, way: str, ner: vouch.Model, ner_path: Path, folder: Path) -> None:
    sentences = rows((folder / "ner.test").read_text(encoding="utf-8"))
    words = [[row[:2] for row in sentence] for sentence in sentences]
    frame = session.createDataFrame([(i, s) for i, s in enumerate(words)], "id int, words array<array<string>>")
    answers = ner.tag([[tuple(word) for word in sentence] for sentence in words])
    for model in (ner, str(ner_path), ner_path.read_bytes()):
        found = vouch.spark.tag(frame.repartition(3), model, tokens="words").orderBy("id").collect()
        assert found[0].__fields__ == ["id", "words", "labels", "confidence", "sentence_confidence", "spans"]
        for row, sentence in zip(found, answers):
            assert row.words == words[row.id] and row.labels == sentence.labels
            assert row.confidence == [word.confidence for word in sentence]
            assert row.sentence_confidence == sentence.confidence
            assert [tuple(span) for span in row.spans] == [tuple(span)[:4] for span in sentence.spans]


def test_trees(session: Any, way: str, dep: vouch.Model, folder: Path) -> None:
    sentences = rows((folder / "dep.test").read_text(encoding="utf-8"))
    words = [[row[1] for row in sentence] for sentence in sentences]
    frame = session.createDataFrame([(i, s) for i, s in enumerate(words)], "id int, tokens array<string>")
    found = vouch.spark.parse(frame, dep).orderBy("id").collect()
    for row, sentence in zip(found, dep.parse(words)):
        assert (row.heads, row.labels) == (sentence.heads, sentence.labels)
        assert row.confidence == [word.confidence for word in sentence]


def test_null_and_empty(session: Any, way: str, ner: vouch.Model) -> None:
    one = [["Ada", "NNP"]]
    frame = session.createDataFrame([(0, None), (1, []), (2, one)], "id int, tokens array<array<string>>")
    found = vouch.spark.tag(frame, ner, confidence=False).orderBy("id").collect()
    assert [row.labels for row in found] == [[], [], ner.tag([[("Ada", "NNP")]])[0].labels]
    assert found[2].confidence == [None] and found[2].sentence_confidence is None
    nothing = session.createDataFrame([], frame.schema)
    assert vouch.spark.tag(nothing, ner).count() == 0


def test_wrong_arguments(session: Any, ner: vouch.Model, dep: vouch.Model) -> None:
    frame = session.createDataFrame([(["Ada"],)], "tokens array<string>")
    with pytest.raises(ValueError, match="expected a model that labels, found one that parses"):
        vouch.spark.tag(frame, dep)
    with pytest.raises(ValueError, match="expected a column 'text'"):
        vouch.spark.tag(frame, ner, tokens="text")
    with pytest.raises(ValueError, match="labels"):
        vouch.spark.tag(frame.withColumnRenamed("tokens", "labels"), ner, tokens="labels")
