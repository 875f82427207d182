"""What is done with judges on labelled sentences: the jobs of models, on files of words and scores in memory.

Scores are written as one tensor of a safetensors file: [T, Y] of labels, all words one after the other, or the numbers
of all arcs, [P]; K sets of them have one dimension more. See vouch-formats(5).
"""

from __future__ import annotations

import json
import sys
import tempfile
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from . import _core
from ._buffers import floats_of
from ._calls import as_typed, watched
from ._corpus import file_of
from ._scores import Pieces, SentenceScores


class Case(NamedTuple):
    """Sentences with their scores, and what is right of them."""

    sentences: Sequence[SentenceScores]
    edge: Pieces | None
    gold: Sequence[Sequence[str | int]] | None
    words: Sequence[Sequence[Any]] | None


def model_of(header: dict[str, Any], labels: tuple[str, ...] | None, sets: int) -> _core.Model:
    """The judge as a model, which reads arcs from heads to modifiers with the root first."""
    if labels is None:
        header = {**header, "arcs": {"order": "head-first", "root": "first"}}
    core = _core.judge_from_json(
        json.dumps(header, ensure_ascii=False), labels, sets, None, 0, 0, False, 0, None, False, False
    )
    with tempfile.TemporaryDirectory(prefix="vouch-") as folder:
        core.save(path := Path(folder, "judge"))
        return _core.load(path)


def run(call: Callable[..., Any], case: Case, trees: bool, progress: object, options: Mapping[str, object]) -> Any:
    """Calls a function of the library on these sentences and their scores."""
    with ExitStack() as stack:
        words = stack.enter_context(file_of(_lines(case, trees)))
        scores = stack.enter_context(file_of(_tensors(case.sentences, trees)))
        typed = as_typed({**options, "format": "jsonl", "scores": scores})
        return watched(call, progress, typed, (words,))


def _lines(case: Case, trees: bool) -> Iterator[bytes]:
    """Sentences as JSON lines; a word without a form is its place, so that no two sentences have the same words."""
    key = "heads" if trees else "labels"
    for i, (count, *_) in enumerate(case.sentences):
        words = [f"{i + 1}.{n + 1}" for n in range(count)] if case.words is None else list(case.words[i])
        if len(words) != count:
            raise ValueError(f"words of sentence {i + 1}: expected {count}, as scores have, found {len(words)}")
        line: dict[str, Any] = {"tokens": [[word] if isinstance(word, str) else list(word) for word in words]}
        if case.gold is not None:
            line[key] = list(case.gold[i])
        yield json.dumps(line, ensure_ascii=False).encode() + b"\n"


def _floats(pieces: Pieces) -> array[float]:
    """The numbers of all pieces as float32."""
    numbers = array("f")
    for piece in pieces:
        numbers.extend(floats_of(piece))
    return numbers


def _tensors(sentences: Sequence[SentenceScores], trees: bool) -> Iterator[bytes]:
    """A safetensors file: every set after the other, and in it every sentence."""
    sets = sentences[0][2] if sentences else 1
    width = sentences[0][1] if sentences else 1
    blocks = [_floats(pieces) for *_, pieces, _ in sentences]
    edges = [_edges(words, width * width, sets, edge) for words, *_, edge in sentences if edge is not None]
    total = sum(map(len, blocks)) // sets
    shape = [total] if trees else [total // max(width, 1), width]
    tensors = {"scores": ([sets, *shape][sets == 1 :], blocks)}
    if edges:
        tensors["transitions"] = ([sets, shape[0], width, width][sets == 1 :], edges)
    header: dict[str, Any] = {}
    at = 0
    for name, (dimensions, parts) in tensors.items():
        size = 4 * sum(map(len, parts))
        header[name] = {"dtype": "F32", "shape": dimensions, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    yield len(text).to_bytes(8, "little") + text
    for _, parts in tensors.values():
        for k in range(sets):
            for part in parts:
                size = len(part) // sets
                yield _little(part[k * size : (k + 1) * size])


def _edges(words: int, block: int, sets: int, pieces: Pieces) -> array[float]:
    """Transitions [K][N - 1][Y][Y] with a block of zeros in front of each set: nothing comes before the first word."""
    numbers, size = _floats(pieces), (words - 1) * block
    padded = array("f")
    for k in range(sets if words else 0):
        padded.extend([0.0] * block)
        padded.extend(numbers[k * size : (k + 1) * size])
    return padded


def _little(numbers: array[float]) -> bytes:
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()
