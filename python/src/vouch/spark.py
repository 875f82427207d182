"""Labels and parses the sentences of a Spark data frame.

    labelled = vouch.spark.tag(frame, "ner.vouch")          # or a vouch.Model
    labelled.select("tokens", "labels", "confidence")

The column `tokens` is an array of words, or an array of arrays, the columns of each word. Added are:

    labels                array of str, one a word (parse: relations)
    heads                 parse alone: array of int, one a word; 0 is the root
    confidence            array of double, one a word; null where it was not computed
    sentence_confidence   double
    spans                 tag alone: array of structs of type, start, end, confidence

The model's bytes are broadcast, so that every machine gets them once; every Python process of a worker opens the model
once and keeps it. Rows stay in their partitions and in their order. Where pandas and pyarrow are installed, rows travel
through mapInPandas, else through mapPartitions: the results are the same. The package must be installed on the workers.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from ._answers import Answers, Sentence
from ._model import Model, load

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

__all__ = ["parse", "tag"]

_BATCH = 1000  # sentences that are answered at once

# The model that this process answers with, by the digest of its bytes: models never change.
_opened: dict[str, Model] = {}

Row = tuple[Any, ...]


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
    session = frame.sparkSession
    data = chosen.to_bytes()
    broadcast, digest = session.sparkContext.broadcast(data), hashlib.sha256(data).hexdigest()
    at = frame.columns.index(tokens)

    def answer(rows: Iterable[Row]) -> Iterator[Row]:
        opened = _opened.get(digest) or _opened.setdefault(digest, load(broadcast.value))
        return _answered(opened, rows, at, options)

    if all(importlib.util.find_spec(name) for name in ("pandas", "pyarrow")):
        return frame.mapInPandas(_in_pandas(answer, schema.names), schema)
    return session.createDataFrame(frame.rdd.mapPartitions(answer), schema)


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


def _answered(model: Model, rows: Iterable[Row], at: int, options: dict[str, Any]) -> Iterator[Row]:
    stream = iter(rows)
    while batch := [tuple(row) for row in islice(stream, _BATCH)]:
        sentences = [_words(row[at]) for row in batch]
        answers: Answers = model.parse(sentences, **options) if model.parses else model.tag(sentences, **options)
        for row, sentence in zip(batch, answers):
            yield row + _cells(sentence, model.parses)


def _in_pandas(answer: Callable[[Iterable[Row]], Iterator[Row]], names: list[str]) -> Callable[..., Iterator[Any]]:
    """The same function over pandas' data frames."""

    def frames(parts: Iterable[Any]) -> Iterator[Any]:
        import pandas

        for part in parts:
            rows = answer(part.itertuples(index=False, name=None))
            columns = list(zip(*rows)) or [()] * len(names)
            yield pandas.DataFrame({name: pandas.Series(c, dtype=object) for name, c in zip(names, columns)})

    return frames
