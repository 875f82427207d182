"""Arrays of numbers that were made elsewhere, in one piece: numpy's, torch's, array.array, memoryview, nested lists."""

from __future__ import annotations

import struct
from array import array
from typing import Any


class Array:
    """An array in one piece, with its shape."""

    def __init__(self, given: Any, what: str) -> None:
        view = _view(given, what)
        self.shape: tuple[int, ...] = tuple(view.shape or ())
        # Views of float16 cannot be made; vouch._core takes its bits instead.
        self.flat: Any
        self.format: str = "H" if view.format == "e" else view.format
        if 0 in self.shape:
            self.flat = memoryview(array("f"))
        elif view.c_contiguous:
            self.flat = view.cast("B").cast(self.format)
        else:
            self.flat = cast(view.tobytes(), self.format)

    def part(self, first: int, count: int) -> Any:
        return self.flat[first : first + count]

    def floats(self) -> array[float]:
        """A copy as float32."""
        return floats_of(self.flat)


def floats_of(flat: Any) -> array[float]:
    """A copy of a view of numbers as float32; those of format "H" are the bits of float16."""
    if flat.format == "H":
        return array("f", (value for (value,) in struct.iter_unpack("=e", flat.tobytes())))
    return array("f", flat)


def cast(data: bytes, kind: str) -> Any:
    view: Any = memoryview(data)
    return view.cast(kind)


def _flat_list(given: Any, what: str, to: array[float]) -> tuple[int, ...]:
    """Appends the numbers of nested lists, and returns their shape."""
    if not isinstance(given, (list, tuple)):
        to.append(given)
        return ()
    shapes = {_flat_list(item, what, to) for item in given}
    if len(shapes) > 1:
        raise ValueError(f"{what}: expected lists of the same length, found {sorted(shapes)}")
    return (len(given), *(shapes.pop() if shapes else ()))


def _view(given: Any, what: str) -> Any:
    if isinstance(given, (list, tuple)):
        numbers = array("d")
        try:
            shape = _flat_list(given, what, numbers)
        except TypeError as error:
            raise TypeError(f"{what}: expected lists of numbers: {error}") from None
        return memoryview(numbers).cast("B").cast("d", shape) if len(numbers) else memoryview(numbers)
    if hasattr(given, "detach"):  # a tensor of torch, whose bfloat16 numpy does not have
        given = given.detach().cpu()
        given = (given.float() if str(given.dtype) == "torch.bfloat16" else given).numpy()
    elif str(getattr(given, "dtype", "")) == "bfloat16":
        given = given.astype("float32")
    elif hasattr(given, "__array__") and not has_buffer(given):
        given = given.__array__()
    try:
        view = memoryview(given)
    except (TypeError, ValueError, BufferError) as error:
        raise TypeError(f"{what}: expected an array of numbers, found {type(given)!r}: {error}") from None
    if view.format not in ("e", "f", "d"):
        raise TypeError(
            f"{what}: expected float16, float32 or float64 in this machine's byte order, found format {view.format!r}"
        )
    return view


def has_buffer(given: Any) -> bool:
    try:
        memoryview(given)
    except (TypeError, ValueError, BufferError):
        return False
    return True


def shape_error(what: str, expected: str, shape: tuple[int, ...]) -> ValueError:
    return ValueError(f"{what}: expected an array {expected}, found {list(shape)}")
