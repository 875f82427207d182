"""vouch.spark on a local Spark of two cores."""

import importlib.util
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import NOTE_LOADS, Command, rows

import vouch

pytest.importorskip("pyspark", reason="skipped: PySpark is not installed")
from pyspark.sql import SparkSession  # noqa: E402

import vouch.spark  # noqa: E402


@pytest.fixture(scope="module")
def loads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file in which the workers note that they open a model."""
    site = tmp_path_factory.mktemp("site")
    (site / "sitecustomize.py").write_text(NOTE_LOADS)
    return site / "loads"


@pytest.fixture(scope="module")
def session(loads: Path) -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable  # for the workers, too
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    path = os.pathsep.join([str(loads.parent), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    for name, value in {"PYTHONPATH": path, "VOUCH_LOADS": str(loads)}.items():
        builder = builder.config(f"spark.executorEnv.{name}", value)
    try:
        spark = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    except Exception as error:  # no Java
        pytest.skip(f"skipped: Spark does not start: {error}")
    yield spark
    spark.stop()


@pytest.fixture(scope="module", params=["mapInArrow", "mapPartitions"])
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
    for model in (ner, str(ner_path), ner_path.read_bytes(), vouch.load(ner_path, pickle="path")):
        found = vouch.spark.tag(frame.repartition(3), model, tokens="words").orderBy("id").collect()
        assert found[0].__fields__ == ["id", "words", "labels", "confidence", "sentence_confidence", "spans"]
        for row, sentence in zip(found, answers):
            assert row.words == words[row.id] and row.labels == sentence.labels
            assert row.confidence == [word.confidence for word in sentence]
            assert row.sentence_confidence == sentence.confidence
            assert [tuple(span) for span in row.spans] == [tuple(span)[:4] for span in sentence.spans]


def test_a_model_by_its_path(session: Any, way: str, ner_path: Path, tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(ner_path.read_bytes())
    frame = session.createDataFrame([([["Ada", "NNP"]],)] * 4, "tokens array<array<string>>")
    model = vouch.load(tmp_path / "model", pickle="path")
    (tmp_path / "model").write_bytes(b"another file")  # a process that has opened the model keeps it: see _opened
    vouch.spark._opened.clear()
    job = vouch.spark._Job(None, str(tmp_path / "model"), "0" * 64, 0, {})
    with pytest.raises(ValueError, match="expected the model that was loaded"):
        vouch.spark._shipped(job)
    (tmp_path / "model").write_bytes(ner_path.read_bytes())
    assert len(vouch.spark.tag(frame, model).collect()) == 4


def test_trees(session: Any, way: str, dep: vouch.Model, folder: Path) -> None:
    sentences = rows((folder / "dep.test").read_text(encoding="utf-8"))
    words = [[row[1] for row in sentence] for sentence in sentences]
    frame = session.createDataFrame([(i, s) for i, s in enumerate(words)], "id int, tokens array<string>")
    found = vouch.spark.parse(frame, dep).orderBy("id").collect()
    for row, sentence in zip(found, dep.parse(words)):
        assert (row.heads, row.labels) == (sentence.heads, sentence.labels)
        assert row.confidence == [word.confidence for word in sentence]


@pytest.mark.parametrize("partitions, batch", [(1, 10000), (3, 1), (7, 2)])
def test_plain_run(
    session: Any, way: str, ner_path: Path, command: Command, folder: Path, partitions: int, batch: int
) -> None:
    """However rows are cut into partitions and batches, every number is the one that the program writes."""
    sentences = [[row[:2] for row in s] for s in rows((folder / "ner.test").read_text(encoding="utf-8"))]
    lines = [json.dumps({"tokens": sentence}) for sentence in sentences]
    (folder / "spark.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(batch))
    rdd = session.sparkContext.parallelize(list(enumerate(sentences)), partitions)
    frame = session.createDataFrame(rdd, "id int, tokens array<array<string>>")
    assert frame.rdd.getNumPartitions() == partitions
    options = {"confidence": "committee,kd-fix", "draws": 7}
    for given, plain in (({}, []), (options, [f"--{name}={value}" for name, value in options.items()])):
        found = vouch.spark.tag(frame, ner_path, **given).collect()  # in the order of the file
        written = command("tag", "-q", "-m", str(ner_path), *plain, "spark.jsonl").splitlines()
        assert [row.id for row in found] == list(range(len(written)))
        for row, line in zip(found, map(json.loads, written)):
            assert row.labels == line["predicted"]
            assert [f"{p:.6g}" for p in row.confidence] == [f"{p:.6g}" for p in line["confidence"]["words"]]
            assert f"{row.sentence_confidence:.6g}" == f"{line['confidence']['sentence']:.6g}"
            spans = [(s.type, s.start, s.end, f"{s.confidence:.6g}") for s in row.spans]
            assert spans == [(s["label"], s["start"], s["end"], f"{s['confidence']:.6g}") for s in line["spans"]]


def test_plain_trees(session: Any, way: str, dep: vouch.Model, command: Command, folder: Path) -> None:
    sentences = [[row[1:6] for row in s] for s in rows((folder / "dep.test").read_text(encoding="utf-8"))]
    frame = session.createDataFrame(
        session.sparkContext.parallelize([(s,) for s in sentences], 4), "tokens array<array<string>>"
    )
    found = vouch.spark.parse(frame, dep).collect()
    written = rows(command("parse", "-q", "-m", "dep.vouch", "dep.test"))
    assert len(found) == len(written)
    for row, sentence in zip(found, written):
        assert [(str(head), label) for head, label in zip(row.heads, row.labels)] == [(w[6], w[7]) for w in sentence]
        assert [f"{p:.6g}" for p in row.confidence] == [_misc(word[9], "HeadConf") for word in sentence]


def _misc(cell: str, name: str) -> str:
    """The number of this name in the last column of CoNLL-U, as text of six digits."""
    return f"{float(dict(pair.split('=', 1) for pair in cell.split('|'))[name]):.6g}"


def test_model_is_opened_once_a_process(
    session: Any, way: str, ner: vouch.Model, command: Command, folder: Path, loads: Path
) -> None:
    """Not once a task, of which there are 32, nor once a row."""
    # A model that no process has opened yet.
    command("train", "-q", "-t", "ner", "-n", "1", "--no-calibrate", "--seed", str(len(way)), "-o", way, "ner.train")
    frame = session.range(64).selectExpr("id", "array(array('Ada', 'NNP')) AS tokens").repartition(16)
    loads.write_text("")
    for model in (folder / way, (folder / way).read_bytes()):
        assert len(vouch.spark.tag(frame, model).collect()) == 64
    opened = Counter(loads.read_text().split())
    assert set(opened.values()) == {1} and len(opened) < 8, opened


def test_null_and_empty(session: Any, way: str, ner: vouch.Model) -> None:
    one = [["Ada", "NNP"]]
    frame = session.createDataFrame([(0, None), (1, []), (2, one)], "id int, tokens array<array<string>>")
    found = vouch.spark.tag(frame, ner, confidence=False).orderBy("id").collect()
    assert [row.labels for row in found] == [[], [], ner.tag([[("Ada", "NNP")]])[0].labels]
    assert found[2].confidence == [None] and found[2].sentence_confidence is None
    nothing = session.createDataFrame([], frame.schema)
    assert vouch.spark.tag(nothing, ner).count() == 0


def test_other_columns_stay(session: Any, way: str, ner: vouch.Model) -> None:
    kept = [(2**60 + 1, 1, None, {"a": 1}), (None, None, 2.5, None)]
    schema = "big long, small int, real double, map map<string, int>, tokens array<array<string>>"
    frame = session.createDataFrame([(*row, [["Ada", "NNP"]]) for row in kept], schema)
    found = vouch.spark.tag(frame, ner).collect()
    assert [tuple(row)[:4] for row in found] == kept


def test_wrong_arguments(session: Any, ner: vouch.Model, dep: vouch.Model) -> None:
    frame = session.createDataFrame([(["Ada"],)], "tokens array<string>")
    with pytest.raises(ValueError, match="expected a model that labels, found one that parses"):
        vouch.spark.tag(frame, dep)
    with pytest.raises(ValueError, match="expected a column 'text'"):
        vouch.spark.tag(frame, ner, tokens="text")
    with pytest.raises(ValueError, match="labels"):
        vouch.spark.tag(frame.withColumnRenamed("tokens", "labels"), ner, tokens="labels")
    with pytest.raises(ValueError, match="found committee.text: what it says would depend on where partitions begin"):
        vouch.spark.tag(frame, ner, consistency=True)
    with pytest.raises(ValueError, match="found vectors"):
        vouch.spark.tag(frame, ner, vectors=[[1.0]])
    with pytest.raises(ValueError, match="kd-fox"):
        vouch.spark.tag(frame, ner, confidence="kd-fox")
