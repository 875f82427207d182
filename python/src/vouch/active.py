"""Which sentences to label next.

>>> from vouch import active
>>> pool = [[("Ada", "NNP"), ("left", "VBD")], [("Xyzzy", "NNP"), ("Plugh", "NNP"), ("met", "VBD"), ("Ada", "NNP")]]
>>> active.next(model, pool, number=1)
[1]
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any, Unpack, overload

from ._calls import as_typed, watched
from ._corpus import StrPath, attribute_blocks, file_of, parsed_lines, tagged_lines
from ._keywords import options_of
from ._model import Model
from ._options import NextOptions
from ._vectors import with_vectors

__all__ = ["next"]


def _is_path(given: object) -> bool:
    return isinstance(given, (str, os.PathLike))


def _blocks(model: Model, sentences: Iterable[Iterable[Any]]) -> list[bytes]:
    """Every sentence as bytes of a file that the model can read."""
    if model.takes_attributes:
        return list(attribute_blocks(sentences, None))
    if model.parses:
        return list(parsed_lines(sentences, None, None))
    return list(tagged_lines(sentences, None, gold=False))


def _chosen(model: Model, text: str, blocks: list[bytes]) -> list[int]:
    """Which sentences the library has chosen."""
    if not model.takes_attributes:
        return [json.loads(line)["index"] for line in text.splitlines() if line.strip()]
    first = {block.decode().strip("\n"): i for i, block in reversed(list(enumerate(blocks)))}
    return [first[block] for block in text.strip("\n").split("\n\n") if block]


@overload
def next(  # pyright: ignore[reportOverlappingOverload]  (a str is also an iterable of iterables)
    model: Model,
    pool: StrPath,
    labelled: StrPath | Iterable[Any] = ...,
    progress: object = ...,
    **options: Unpack[NextOptions],
) -> str: ...
@overload
def next(
    model: Model,
    pool: Iterable[Iterable[Any]],
    labelled: StrPath | Iterable[Any] = ...,
    progress: object = ...,
    **options: Unpack[NextOptions],
) -> list[int]: ...
@options_of("active", NextOptions)
def next(
    model: Model,
    pool: StrPath | Iterable[Iterable[Any]],
    labelled: StrPath | Iterable[Any] = (),
    progress: object = None,
    **options: Unpack[NextOptions],
) -> str | list[int]:
    """Chooses the sentences of `pool` that the model is least sure of, as `vouch active next` does, with its options.

    `number` is how many, `confidence` how they are chosen. A pool of sentences gives their places in it, from 0, least
    sure first; a file of sentences gives the text of those that were chosen. None of them are sentences that the model
    learned from, or that are in `labelled`: sentences, without labels, or paths of files.
    """
    with ExitStack() as stack:
        blocks: list[bytes] = []
        given: dict[str, object] = {**options}
        if isinstance(pool, (str, os.PathLike)):
            path: StrPath = pool
        else:
            blocks = _blocks(model, pool)
            if not blocks:
                return []
            path = stack.enter_context(file_of(blocks))
            given = {"format": "crfsuite" if model.takes_attributes else "jsonl", **given}
        known: list[Any] = [labelled] if _is_path(labelled) else list(labelled)  # type: ignore[arg-type]
        if known and not all(map(_is_path, known)):
            known = [stack.enter_context(file_of(_blocks(model, known)))]
        given = stack.enter_context(with_vectors(given))
        text = watched(model._core.choose_next, progress, as_typed(given), (path, *known))
    return _chosen(model, text, blocks) if blocks else text
