"""Arithmetic on named arrays. Each result carries a first-order bound on its rounding error.

The bound is what lets a comparison be strict without crying wolf: `X - mu` at an offset of a
million has lost digits, and the bound knows how many.
"""

from collections.abc import Callable

import numpy as np

from eqcheck.errors import AxisError
from eqcheck.named import EPSILON, Named, Numbers, align

_LARGEST_POWER = 64


class NotAnalyticError(Exception):
    """A complex number met a function that has no complex derivative, such as |x| or a maximum."""


def add(values: tuple[Named, ...], position: int) -> Named:
    """Add entry by entry. Raises AxisError if the axes left out do not fit."""
    axes, whole, parts = align(values, position)
    array, rounding = parts[0]
    size = np.abs(array)
    for part, error in parts[1:]:
        array, rounding, size = array + part, rounding + error, size + np.abs(part)
    return Named(array=array, axes=axes, whole=whole, rounding=rounding + EPSILON * size)


def negate(value: Named) -> Named:
    """Change the sign."""
    return Named(array=-value.array, axes=value.axes, whole=value.whole, rounding=value.rounding)


def multiply(left: Named, right: Named, position: int) -> Named:
    """Multiply entry by entry. Raises AxisError if the axes left out do not fit."""
    axes, whole, ((a, error_a), (b, error_b)) = align((left, right), position)
    array, size_a, size_b = a * b, np.abs(a), np.abs(b)
    rounding = size_a * error_b + size_b * error_a + EPSILON * np.abs(array)
    return Named(array=array, axes=axes, whole=whole, rounding=rounding)


def divide(left: Named, right: Named, position: int) -> Named:
    """Divide entry by entry. Raises AxisError if the axes left out do not fit."""
    axes, whole, ((a, error_a), (b, error_b)) = align((left, right), position)
    array = a / b
    size = np.abs(array)
    rounding = (error_a + size * error_b) / np.maximum(np.abs(b) - error_b, 0) + EPSILON * size
    return Named(array=array, axes=axes, whole=whole, rounding=rounding)


def power(base: Named, exponent: Named, position: int) -> Named:
    """Raise to a power, entry by entry. Raises AxisError if the axes left out do not fit."""
    axes, whole, ((a, error_a), (p, error_p)) = align((base, exponent), position)
    array = _power(a, p)
    slope = np.abs(p * _power(np.abs(a), p - 1))
    rounding = slope * error_a + 2 * EPSILON * np.abs(array)
    if np.any(error_p):
        rounding = rounding + np.abs(array * np.log(np.abs(a))) * error_p
    return Named(array=array, axes=axes, whole=whole, rounding=rounding)


def _power(base: Numbers, exponent: Numbers) -> Numbers:
    """A whole power of a complex number by multiplication, since NumPy goes through logarithms."""
    if base.dtype.kind != "c" or not _is_whole(exponent):
        result: Numbers = base**exponent
        return result
    count = int(exponent.flat[0].real)
    product = np.ones_like(base)
    for _ in range(abs(count)):
        product = product * base
    return product if count >= 0 else 1 / product


def _is_whole(exponent: Numbers) -> bool:
    """Whether it is one whole number, not too large, everywhere."""
    first = exponent.flat[0]
    alike = bool(np.isfinite(first) and (exponent == first).all())
    return alike and first == int(first.real) and bool(abs(first) <= _LARGEST_POWER)


def root(value: Named) -> Named:
    """The square root of each entry."""
    array = np.sqrt(value.array)
    size = np.maximum(np.abs(value.array), value.rounding)
    change = np.divide(
        value.rounding, np.sqrt(size), out=np.zeros_like(value.rounding), where=size > 0
    )
    rounding = change + EPSILON * np.abs(array)
    return Named(array=array, axes=value.axes, whole=value.whole, rounding=rounding)


def call(function: str, value: Named) -> Named:
    """Apply a function to each entry.

    Raises:
        NotAnalyticError: of complex numbers, a function that has no complex derivative.
    """
    apply, slope = _FUNCTIONS[function]
    if value.array.dtype.kind == "c" and function in _REAL:
        raise NotAnalyticError(function)
    array = apply(value.array)
    rounding = np.abs(slope(value.array)) * value.rounding + 2 * EPSILON * np.abs(array)
    return Named(array=array, axes=value.axes, whole=value.whole, rounding=rounding)


def _sigmoid(x: Numbers) -> Numbers:
    return 0.5 * (1 + np.tanh(0.5 * x))


_REAL = frozenset({"abs", "sign", "relu"})
_FUNCTIONS: dict[str, tuple[Callable[[Numbers], Numbers], Callable[[Numbers], Numbers]]] = {
    "exp": (np.exp, np.exp),
    "log": (np.log, lambda x: 1 / x),
    "tanh": (np.tanh, lambda x: 1 - np.tanh(x) ** 2),
    "sin": (np.sin, np.cos),
    "cos": (np.cos, np.sin),
    "sinh": (np.sinh, np.cosh),
    "cosh": (np.cosh, np.sinh),
    "sigmoid": (_sigmoid, np.ones_like),
    "abs": (np.abs, np.ones_like),
    "sign": (np.sign, np.zeros_like),
    "relu": (lambda x: np.maximum(x, 0), np.ones_like),
}


def matmul(left: Named, right: Named, position: int) -> Named:
    r"""Multiply two matrices, or a matrix and a vector, whose indices are left out.

    Raises:
        AxisError: the inner dimensions differ, or both are vectors.
    """
    if len(left.whole) == len(right.whole) == 1:
        raise AxisError(r"two vectors: write \odot, or ^\top for the inner product", position)
    outer = len(left.whole) == 1 and right.whole[0] == "1"
    a = left if len(left.whole) > 1 else _with_one(left, last=outer)
    b = right if len(right.whole) > 1 else _with_one(right, last=True)
    if a.whole[-1] != b.whole[0]:
        shapes = f"({', '.join(left.whole)}) and ({', '.join(right.whole)})"
        raise AxisError(f"{shapes} cannot be multiplied as matrices", position)
    whole = a.whole[:-1] + b.whole[1:]
    axes = tuple(dict.fromkeys(a.axes + b.axes))
    (array_a, error_a), (array_b, error_b) = (_spread(item, axes) for item in (a, b))
    size_a, size_b = np.abs(array_a), np.abs(array_b)
    size = size_a @ size_b
    rounding = size_a @ error_b + error_a @ size_b + array_a.shape[-1] * EPSILON * size
    product = Named(array=array_a @ array_b, axes=axes, whole=whole, rounding=rounding)
    dropped = len(left.whole) == 1 and not outer, len(right.whole) == 1
    return _without_ones(product, *dropped)


def _with_one(value: Named, *, last: bool) -> Named:
    """A vector as a column, or as a row."""
    at = len(value.axes) + last
    return Named(
        array=np.expand_dims(value.array, at),
        axes=value.axes,
        whole=(*value.whole, "1") if last else ("1", *value.whole),
        rounding=np.expand_dims(value.rounding, at),
    )


def _without_ones(value: Named, first: bool, last: bool) -> Named:  # noqa: FBT001 - private
    """Drop the axis of size 1 that made a vector a matrix; a 1 by 1 matrix is a number."""
    count, start = len(value.whole), len(value.axes)
    drop = [n for n in range(count) if (n == 0 and first) or (n == count - 1 and last)]
    kept = [name for n, name in enumerate(value.whole) if n not in drop]
    if kept and set(kept) == {"1"}:
        drop, kept = list(range(count)), []
    places = tuple(start + n for n in drop)
    return Named(
        array=value.array.squeeze(places),
        axes=value.axes,
        whole=tuple(kept),
        rounding=value.rounding.squeeze(places),
    )


def _spread(value: Named, axes: tuple[str, ...]) -> tuple[Numbers, Numbers]:
    """A value's arrays with all of these axes, of size 1 where it has none."""
    order = [value.axes.index(name) for name in axes if name in value.axes]
    order += range(len(value.axes), value.array.ndim)
    missing = tuple(n for n, name in enumerate(axes) if name not in value.axes)
    array, rounding = value.array.transpose(order), value.rounding.transpose(order)
    return np.expand_dims(array, missing), np.expand_dims(rounding, missing)


def transpose(value: Named, position: int) -> Named:
    """Transpose a matrix, or make a row of a vector.

    Raises:
        AxisError: it has no axes whose indices are left out, or more than two.
    """
    if len(value.whole) == 1:
        return _with_one(value, last=False)
    if len(value.whole) != 2:  # noqa: PLR2004 - a matrix
        raise AxisError("only a matrix or a vector without indices can be transposed", position)
    return Named(
        array=value.array.swapaxes(-1, -2),
        axes=value.axes,
        whole=value.whole[::-1],
        rounding=value.rounding.swapaxes(-1, -2),
    )
