"""Text out of Arrow as it lies in memory: bytes and where each text begins, with nothing copied."""

import ctypes
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tallymark.games.texts import Packed

if TYPE_CHECKING:
    import arro3.core


class _Array(ctypes.Structure):
    """The beginning of `ArrowArray` of the Arrow C data interface."""

    _fields_ = (
        ("length", ctypes.c_int64),
        ("null_count", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    )


_pointer: Final = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = (ctypes.py_object, ctypes.c_char_p)


def packed(array: "arro3.core.Array") -> tuple[Packed, object]:
    """The texts of an array of type Utf8, where a null is empty, and what has to live as long as they are used.

    >>> from arro3.core import Array, DataType
    >>> texts, owner = packed(Array(["ann", None, "bob"], DataType.string()))
    >>> list(texts)
    ['ann', '', 'bob']
    """
    _, capsule = array.__arrow_c_array__()
    found = _Array.from_address(_pointer(capsule, b"arrow_array"))
    count = found.length
    bounds = _view(found.buffers[1], 4 * (found.offset + count + 1)).view(np.int32)[found.offset :]
    data = _view(found.buffers[2], int(bounds[-1]))
    return Packed(data, bounds), capsule


def _view(address: int | None, size: int) -> NDArray[np.uint8]:
    if not address or not size:
        return np.zeros(size, dtype=np.uint8)
    return np.frombuffer(memoryview((ctypes.c_uint8 * size).from_address(address)), dtype=np.uint8)
