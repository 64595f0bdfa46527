"""Arrays whose axes have names, each number with a bound on its rounding error.

Axes are matched by name, never by position, so `m_t` and `X_{ti}` need no `keepdims`. There are two
kinds. An axis written with an index (`X_{ti}`) is named after the index; it is matched entry by
entry wherever it stands. An axis written without (`X W`) is named after its dimension and keeps its
position at the end of the array, where matrix products and transposes need it.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eqcheck.errors import AxisError

Numbers: TypeAlias = NDArray[Any]  # float64 or complex128
EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """An array with names for its axes.

    Attributes:
        array: the numbers, float64, or complex128 while a derivative is taken.
        axes: the names of its first axes: indices, and batch dimensions, which have none.
        unindexed: the dimensions of its last axes, those written without an index.
        rounding: a bound on the rounding error of each number, of the array's shape.
    """

    array: Numbers
    axes: tuple[str, ...]
    unindexed: tuple[str, ...] = ()
    rounding: Numbers


def named(value: object, axes: tuple[str, ...], unit: float = EPSILON) -> Named:
    """Name the axes of an array; each of its numbers may be off by `unit` times its size.

    Raises:
        ValueError: the number of names is not the number of axes, or these are no numbers.
    """
    source = np.asarray(value)
    if source.dtype.kind not in "biufc":
        raise ValueError(f"{source.dtype} is no number")
    array = source.astype(np.complex128 if source.dtype.kind == "c" else np.float64)
    if array.ndim != len(axes):
        raise ValueError(f"an array of shape {array.shape} has not the axes {axes}")
    if source.dtype.kind in "biu":
        unit = 0.0
    size = np.abs(array)
    rounding = unit * size if unit else np.zeros_like(size)
    if not np.isfinite(rounding).all():
        rounding = np.where(np.isfinite(rounding), rounding, 0.0)
    return Named(array=array, axes=axes, rounding=rounding)


def arrange(value: Named, names: tuple[str, ...], *, unindexed: tuple[bool, ...]) -> Named:
    """Rename all axes of a value that has no unindexed ones.

    Args:
        value: what to rename.
        names: one for each axis. Axes with the same name become one: the diagonal.
        unindexed: for each axis, whether it has no index; its name is then its dimension.
    """
    if not any(unindexed) and len(set(names)) == len(names):
        return Named(array=value.array, axes=names, rounding=value.rounding)
    inner = [name for name, left_out in zip(names, unindexed, strict=True) if not left_out]
    axes = tuple(dict.fromkeys(inner))
    labels: list[int] = []
    last: list[int] = []
    for number, (name, left_out) in enumerate(zip(names, unindexed, strict=True)):
        label = len(names) + number if left_out else axes.index(name)
        labels.append(label)
        last += [label] * left_out
    out = [*range(len(axes)), *last]
    return Named(
        array=np.einsum(value.array, labels, out),
        axes=axes,
        unindexed=tuple(name for name, left_out in zip(names, unindexed, strict=True) if left_out),
        rounding=np.einsum(value.rounding, labels, out),
    )


def align(
    values: tuple[Named, ...], position: int
) -> tuple[tuple[str, ...], tuple[str, ...], list[tuple[Numbers, Numbers]]]:
    """Bring values to the same axes, of size 1 where one lacks them, entry beside entry.

    Returns:
        The axes, the unindexed dimensions, and for each value its array and its rounding.

    Raises:
        AxisError: the unindexed dimensions do not fit; `position` is where.
    """
    first = values[0]
    if all(value.axes == first.axes and value.unindexed == first.unindexed for value in values):
        return first.axes, first.unindexed, [(value.array, value.rounding) for value in values]
    axes = tuple(dict.fromkeys(name for value in values for name in value.axes))
    unindexed = max((value.unindexed for value in values), key=len)
    for value in values:
        if value.unindexed != unindexed[len(unindexed) - len(value.unindexed) :]:
            shapes = " and ".join(f"({', '.join(item.unindexed)})" for item in values)
            raise AxisError(f"{shapes} do not fit entry by entry", position)
    arrays = []
    for value in values:
        order, index = _plan(value.axes, len(value.unindexed), axes, len(unindexed))
        arrays.append((value.array.transpose(order)[index], value.rounding.transpose(order)[index]))
    return axes, unindexed, arrays


@lru_cache(maxsize=4096)
def _plan(
    axes: tuple[str, ...], unindexed: int, new: tuple[str, ...], new_unindexed: int
) -> tuple[tuple[int, ...], tuple[slice | None, ...]]:
    """How to transpose and where to insert axes of size 1."""
    order = [axes.index(name) for name in new if name in axes]
    order += range(len(axes), len(axes) + unindexed)
    index: list[slice | None] = [slice(None) if name in axes else None for name in new]
    index += [None] * (new_unindexed - unindexed) + [slice(None)] * unindexed
    return tuple(order), tuple(index)
