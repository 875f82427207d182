"""Labels and parses the sentences of a Spark data frame.

    labelled = vouch.spark.tag(frame, "ner.vouch")          # or a vouch.Model
    labelled.select("tokens", "labels", "confidence")

The column `tokens` is an array of words, or an array of arrays, the columns of each word. Added are:

    labels                array of str, one a word (parse: relations)
    heads                 parse alone: array of int, one a word; 0 is the root
    confidence            array of double, one a word; null where it was not computed
    sentence_confidence   double
    spans                 tag alone: array of structs of type, start, end, confidence

The model's bytes are broadcast, so that every machine gets them once; one that was loaded by load(path, pickle="path")
is not sent, but opened by its path, which every machine must then have. Every Python process of a worker opens the
model once and keeps it for its further tasks, unless spark.python.worker.reuse is off. Rows stay in their partitions
and in their order. Where pyarrow is installed (and pandas, without which Spark does not use it), rows travel through
mapInArrow, else through mapPartitions: the results are the same. The package must be installed on the workers.

A sentence's answer is the one that `vouch tag` or `vouch parse` gives, however the frame is cut into partitions and
whoever computes them. The method committee+text is refused, since it looks at the sentences around: where a partition
begins would show.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ._answers import Answers, Sentence
from ._model import Model, load

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

__all__ = ["parse", "tag"]

_BATCH = 1000  # sentences that are answered at once
_KEPT = 4  # models that a process keeps open

# The models that this process has opened, by the digest of their bytes: models never change. Only functions that are
# found in this module by their name may use it: one that is defined within another travels with a copy of it.
_opened: dict[str, Model] = {}

Row = tuple[Any, ...]


class _Job(NamedTuple):
    """What travels to the workers: the model or its path, in which column the words are, and the options."""

    broadcast: Broadcast[bytes] | None
    path: str | None
    digest: str
    at: int
    options: dict[str, Any]


def tag(
    frame: DataFrame, model: Model | str | os.PathLike[str] | bytes, tokens: str = "tokens", **options: Any
) -> DataFrame:
    """Labels the sentences in the column `tokens`, with the options of Model.tag()."""
    return _added(frame, model, tokens, options, trees=False)


def parse(
    frame: DataFrame, model: Model | str | os.PathLike[str] | bytes, tokens: str = "tokens", **options: Any
) -> DataFrame:
    """Parses the sentences in the column `tokens`, with the options of Model.parse()."""
    return _added(frame, model, tokens, options, trees=True)


def _added(frame: DataFrame, model: Any, tokens: str, options: dict[str, Any], trees: bool) -> DataFrame:
    chosen = model if isinstance(model, Model) else load(model)
    if chosen.parses != trees:
        kinds = {True: "parses", False: "labels"}
        raise ValueError(f"expected a model that {kinds[trees]}, found one that {kinds[not trees]}")
    if tokens not in frame.columns:
        raise ValueError(f"expected a column {tokens!r}, found {frame.columns}")
    schema = _schema(frame, trees)
    columns = schema.names[len(frame.columns) :]
    taken = [name for name in columns if name in frame.columns]
    if taken:
        raise ValueError(f"expected a frame without columns {taken}, which are to be added")
    _check(chosen, options)
    session = frame.sparkSession
    data = chosen.to_bytes()
    path, digest = chosen._path, hashlib.sha256(data).hexdigest()
    broadcast = session.sparkContext.broadcast(data) if path is None else None
    job = _Job(broadcast, path, digest, frame.columns.index(tokens), options)
    if all(importlib.util.find_spec(name) for name in ("pandas", "pyarrow")):
        names = schema.names
        return frame.mapInArrow(lambda batches: _arrow_batches(job, names, batches), schema)
    return session.createDataFrame(frame.rdd.mapPartitions(lambda rows: _rows(job, rows)), schema)


def _check(model: Model, options: dict[str, Any]) -> None:
    """Refuses what cannot be answered sentence by sentence, and wrong options: here, not on the workers."""
    given = [name for name in ("texts", "vectors") if options.get(name) is not None]
    if given or model.dimensions > 0:
        found = " and ".join(given) or "a model that needs vectors"
        raise ValueError(f"expected no texts or vectors, which rows do not have: found {found}")
    if "committee+text" in _asked(model, [], options).methods:
        raise ValueError(
            "expected a method that looks at one sentence, found committee+text: what it says would depend on where "
            "partitions begin"
        )


def _asked(model: Model, sentences: list[list[Any]], options: dict[str, Any]) -> Answers:
    return model.parse(sentences, **options) if model.parses else model.tag(sentences, **options)


def _model_of(job: _Job) -> Model:
    """The model, which the first task of this process opens."""
    model = _opened.get(job.digest)
    if model is None:
        if len(_opened) >= _KEPT:
            _opened.clear()
        model = _opened[job.digest] = _shipped(job)
    return model


def _shipped(job: _Job) -> Model:
    if job.broadcast is not None:
        return load(job.broadcast.value)
    data = Path(job.path or "").read_bytes()
    if hashlib.sha256(data).hexdigest() != job.digest:
        raise ValueError(f"{job.path}: expected the model that was loaded, found another file on this machine")
    return load(data)


def _schema(frame: DataFrame, trees: bool) -> StructType:
    """The columns of the frame, and those that are added."""
    from pyspark.sql.types import ArrayType, DoubleType, IntegerType, StringType, StructField, StructType

    number, real, text = IntegerType(), DoubleType(), StringType()
    schema = StructType(list(frame.schema.fields)).add("labels", ArrayType(text))
    if trees:
        schema = schema.add("heads", ArrayType(number))
    schema = schema.add("confidence", ArrayType(real)).add("sentence_confidence", real)
    if not trees:
        fields = [("type", text), ("start", number), ("end", number), ("confidence", real)]
        schema = schema.add("spans", ArrayType(StructType([StructField(name, kind) for name, kind in fields])))
    return schema


def _number(value: float) -> float | None:
    """NaN is what was not computed: null."""
    return value if value == value else None


def _cells(sentence: Sentence, trees: bool) -> Row:
    words = [_number(word.confidence) for word in sentence]
    if trees:
        return sentence.labels, sentence.heads, words, _number(sentence.confidence)
    spans = [(span.type, span.start, span.end, _number(span.confidence)) for span in sentence.spans]
    return sentence.labels, words, _number(sentence.confidence), spans


def _words(tokens: Any) -> list[Any]:
    """The words of a cell, which may be null; numpy's arrays become lists."""
    return [] if tokens is None else [word if isinstance(word, str) else tuple(word) for word in tokens]


def _rows(job: _Job, rows: Iterable[Row]) -> Iterator[Row]:
    """Rows with their answers."""
    model, stream = _model_of(job), iter(rows)
    while batch := [tuple(row) for row in islice(stream, _BATCH)]:
        answers = _asked(model, [_words(row[job.at]) for row in batch], job.options)
        for row, sentence in zip(batch, answers):
            yield row + _cells(sentence, model.parses)


def _arrow_batches(job: _Job, names: list[str], batches: Iterable[Any]) -> Iterator[Any]:
    """The same over record batches of pyarrow: the columns that are there are passed on as they are."""
    pyarrow: Any = importlib.import_module("pyarrow")  # which has no types
    model = _model_of(job)
    for whole in batches:
        for first in range(0, whole.num_rows, _BATCH):
            batch = whole.slice(first, _BATCH)
            sentences = [_words(tokens) for tokens in batch.column(job.at).to_pylist()]
            added = _arrow_columns(_asked(model, sentences, job.options))
            yield pyarrow.RecordBatch.from_arrays([*batch.columns, *added], names=names)


def _arrow_columns(answers: Answers) -> list[Any]:
    """What _cells() makes of every sentence, as columns: made of the flat arrays, without an object for each word."""
    pyarrow: Any = importlib.import_module("pyarrow")
    compute: Any = importlib.import_module("pyarrow.compute")

    def column(values: Any, kind: Any) -> Any:
        return pyarrow.Array.from_buffers(kind, len(values), [None, pyarrow.py_buffer(values)])

    def integers(values: Any) -> Any:
        return column(values, pyarrow.int32())

    def reals(by_method: dict[str, Any], count: int) -> Any:
        """By the first method; null where it was not computed."""
        if not by_method:
            return pyarrow.nulls(count, pyarrow.float64())
        numbers = column(next(iter(by_method.values())), pyarrow.float64())
        return compute.if_else(compute.is_nan(numbers), None, numbers)

    def strings(numbers: Any) -> Any:
        """The names of these numbers; null for -1."""
        at = integers(numbers)
        at = compute.if_else(compute.less(at, 0), None, at)
        return pyarrow.array(answers.names, pyarrow.string()).take(at)

    def lists(offsets: Any, values: Any) -> Any:
        return pyarrow.ListArray.from_arrays(column(offsets, pyarrow.int64()).cast(pyarrow.int32()), values)

    words = lists(answers.offsets, reals(answers.confidences, len(answers.labels)))
    sentences = reals(answers.sentence_confidences, len(answers))
    labels = lists(answers.offsets, strings(answers.labels))
    if answers.trees:
        return [labels, lists(answers.offsets, integers(answers.heads)), words, sentences]
    types = strings(answers.span_types)
    numbers = [integers(answers.span_starts), integers(answers.span_ends)]
    fields = [types, *numbers, reals(answers.span_confidences, len(types))]
    spans = pyarrow.StructArray.from_arrays(fields, names=["type", "start", "end", "confidence"])
    return [labels, words, sentences, lists(answers.span_offsets, spans)]
