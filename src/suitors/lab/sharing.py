"""Arrays in GPU memory that other libraries take as they are, by DLPack or the CUDA array interface, and vice versa."""

from importlib import import_module
from typing import Any

import numpy as np

from ..fast.gpu import cuda

LEGACY_STREAM = 1
"""The default stream as DLPack and the CUDA array interface number it."""


class SharedArray:
    """An array in GPU memory: `torch.from_dlpack`, `jax.dlpack.from_dlpack` and `cupy.asarray` take it without a copy.

    What they make of it is written anew at every step, too. It is in order on the stream of its tables.
    """

    def __init__(self, array: Any) -> None:
        self.array = array

    @property
    def shape(self) -> tuple[int, ...]:
        """As numpy has it."""
        return tuple(self.array.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """As numpy has it."""
        found: np.dtype[Any] = self.array.dtype
        return found

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        found: dict[str, Any] = self.array.__cuda_array_interface__
        return found

    def __dlpack__(self, *, stream: int | None = None, **wanted: Any) -> Any:
        """A capsule of DLPack; the consumer's stream waits for what is under way on ours."""
        if stream != -1:
            follow(stream_of(LEGACY_STREAM if stream is None else stream), stream_of(self.array.stream))
        return _view(self.array, -1).__dlpack__(stream=-1, **wanted)

    def __dlpack_device__(self) -> tuple[int, int]:
        found: tuple[int, int] = _view(self.array, -1).__dlpack_device__()
        return found

    def copy_to_host(self) -> np.ndarray[Any, Any]:
        """The numbers as a numpy array."""
        found: np.ndarray[Any, Any] = self.array.copy_to_host()
        return found


def borrowed(of: Any, stream: Any) -> Any:
    """An array of another library as one of numba's, without a copy; the stream waits for what writes it."""
    if isinstance(of, SharedArray):
        return of.array
    if getattr(of, "__cuda_ndarray__", False):
        return of
    view = _view(of, number_of(stream))
    interface = {
        "shape": tuple(view.shape),
        "strides": None if view.strides is None else tuple(n * view.dtype.itemsize for n in view.strides),
        "typestr": view.dtype.str,
        "data": (view.ptr, False),
        "version": 3,
    }
    return cuda.from_cuda_array_interface(interface, owner=(of, view), sync=False)


def _view(of: Any, stream: int) -> Any:
    """An array as cuda.core sees it: by DLPack, or by the CUDA array interface."""
    return import_module("cuda.core.utils").StridedMemoryView.from_any_interface(of, stream_ptr=stream)


def stream_of(stream: Any) -> Any:
    """A stream of numba's: one of these already, or the number of one; the default stream is plain 0."""
    if isinstance(stream, int):
        return cuda.external_stream(stream) if stream > LEGACY_STREAM else 0
    return stream


def number_of(stream: Any) -> int:
    """The number of a stream."""
    return int(stream) or LEGACY_STREAM


def follow(later: Any, earlier: Any) -> None:
    """Let a stream wait for what is under way on another one."""
    if number_of(later) != number_of(earlier):
        event = cuda.event(timing=False)
        event.record(earlier)
        event.wait(later)
