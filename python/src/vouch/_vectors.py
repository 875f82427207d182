"""Vectors of words from elsewhere, such as a network's: an array [T, D] of all words, or [N, D] for each sentence."""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ._buffers import Array, has_buffer, shape_error
from ._corpus import file_of


def _arrays(vectors: Any) -> tuple[list[Array], bool]:
    """The arrays, and whether they are one for each sentence."""
    if isinstance(vectors, (str, bytes, dict, os.PathLike)) or not isinstance(vectors, Iterable):
        raise TypeError(f"vectors: expected an array or a list of arrays, found {type(vectors)!r}")
    if has_buffer(vectors) or hasattr(vectors, "__array__"):
        return [Array(vectors, "vectors")], False
    return [Array(item, f"vectors of sentence {i}") for i, item in enumerate(vectors, 1)], True


def pieces_of(vectors: Any, lengths: Sequence[int], dimensions: int) -> tuple[Any, ...]:
    """What vouch._core takes: the numbers of all words of sentences of these lengths, one behind the other."""
    if dimensions == 0:
        raise ValueError("vectors: expected a model that was learned with vectors, found one without")
    arrays, by_sentence = _arrays(vectors)
    words = list(lengths) if by_sentence else [sum(lengths)]
    if len(arrays) != len(words):
        raise ValueError(f"vectors: expected an array for each of {len(words)} sentences, found {len(arrays)}")
    for number, (given, count) in enumerate(zip(arrays, words), 1):
        if given.shape != (count, dimensions) and (count > 0 or 0 not in given.shape):
            where = f"vectors of sentence {number}" if by_sentence else "vectors"
            raise shape_error(where, f"[{count}, {dimensions}], a row for each word", given.shape)
    return tuple(given.flat for given in arrays if 0 not in given.shape)


def _npy(vectors: Any) -> Iterator[bytes]:
    """A file of numpy with the vectors of all words, as float32."""
    arrays = [given for given in _arrays(vectors)[0] if 0 not in given.shape]
    shapes = {given.shape[1:] for given in arrays}
    if len(shapes) != 1 or len(next(iter(shapes))) != 1:
        found = sorted({given.shape for given in arrays})
        raise ValueError(f"vectors: expected arrays of two dimensions, the second the same in all, found {found}")
    shape = (sum(given.shape[0] for given in arrays), *next(iter(shapes)))
    order = "<" if sys.byteorder == "little" else ">"
    header = f"{{'descr': '{order}f4', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    yield b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
    for given in arrays:
        yield given.floats().tobytes()


@contextmanager
def with_vectors(options: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Options whose "vectors", if they are arrays, are in a file for as long as the block of code runs."""
    vectors = options.get("vectors")
    if vectors is None or isinstance(vectors, (str, os.PathLike)):
        yield dict(options)
        return
    with file_of(_npy(vectors)) as path:
        yield {**options, "vectors": path}
