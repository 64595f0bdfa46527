"""Arithmetic on named arrays, each number with a first-order bound on its rounding error.

A fixed tolerance would either reject correct equations or accept wrong ones: after `X - mu` at an
offset of a million only ten digits are left, after `2 X` all sixteen. So every operation carries a
bound along with the number (running error analysis, Higham 2002, section 3.3):

    rounding(f(a, b))  =  |df/da| rounding(a) + |df/db| rounding(b) + EPSILON |f(a, b)|

Second-order terms are dropped. Where a bound overflows, or a denominator may be zero within its own
bound, the bound is infinite or NaN: no digit of the number is known, and `compare` never takes such
a bound for a tolerance. An infinity is exact, with a bound of 0, if the code computed it (a mask of
-inf) or at a pole (log 0); one from an overflow may stand for any large number, and what is
computed from it, such as a quotient of 0, has no known digit either.
"""

from collections.abc import Callable, Sequence
from functools import reduce as fold
from math import erf

import numpy as np

from eqcheck.errors import AxisError
from eqcheck.named import EPSILON, Named, Numbers, align

_LARGEST_POWER = 64
_SUBNORMAL = 5e-324  # what an underflow may lose


class NotAnalyticError(Exception):
    """A complex number met a function that has no complex derivative, such as |x| or a maximum."""


def add(values: tuple[Named, ...], position: int) -> Named:
    """Add entry by entry. Raises AxisError if the axes left out do not fit."""
    axes, unindexed, parts = align(values, position)
    array, rounding = parts[0]
    size = np.abs(array)
    for part, error in parts[1:]:
        array, rounding, size = array + part, rounding + error, size + np.abs(part)
    return _result(array, axes, unindexed, rounding + EPSILON * size, parts)


Operand = tuple[Numbers, Numbers]  # numbers, and the bounds on their rounding


def _result(  # noqa: PLR0913 - the parts of a Named, and what it was computed from
    array: Numbers,
    axes: tuple[str, ...],
    unindexed: tuple[str, ...],
    rounding: Numbers,
    operands: Sequence[Operand],
    pole: Operand | None = None,
) -> Named:
    """A result, with a bound on its infinities: 0 if they are exact, else infinite.

    They are exact if an operand is itself infinite, and that exactly, or at a pole: 1 / 0, log 0.
    """
    if not np.isfinite(rounding).all():
        exact = fold(np.logical_or, [~np.isfinite(part) for part, _ in operands])
        exact = fold(np.logical_and, [np.isfinite(error) for _, error in operands], exact)
        if pole is not None:
            exact = exact | ((pole[0] == 0) & (pole[1] == 0))
        rounding = np.where(np.isfinite(array), rounding, np.where(exact, 0.0, np.inf))
    return Named(array=array, axes=axes, unindexed=unindexed, rounding=rounding)


def _whole(array: Numbers, rounding: Numbers) -> Operand:
    """An operand of which all entries go into each entry of the result."""
    parts = (np.where(np.isfinite(part).all(), 0.0, np.inf) for part in (array, rounding))
    return next(parts), next(parts)


def _unit(array: Numbers) -> Numbers:
    """The rounding of one operation whose result may underflow."""
    bound: Numbers = EPSILON * np.abs(array) + _SUBNORMAL
    return bound


def negate(value: Named) -> Named:
    """Change the sign."""
    return Named(
        array=-value.array, axes=value.axes, unindexed=value.unindexed, rounding=value.rounding
    )


def multiply(left: Named, right: Named, position: int) -> Named:
    """Multiply entry by entry. Raises AxisError if the axes left out do not fit."""
    axes, unindexed, ((a, error_a), (b, error_b)) = align((left, right), position)
    array, size_a, size_b = a * b, np.abs(a), np.abs(b)
    rounding = size_a * error_b + size_b * error_a + _unit(array)
    return _result(array, axes, unindexed, rounding, [(a, error_a), (b, error_b)])


def divide(left: Named, right: Named, position: int) -> Named:
    """Divide entry by entry. Raises AxisError if the axes left out do not fit."""
    axes, unindexed, ((a, error_a), (b, error_b)) = align((left, right), position)
    array = a / b
    size = np.abs(array)
    rounding = (error_a + size * error_b) / np.maximum(np.abs(b) - error_b, 0) + _unit(array)
    operands = [(a, error_a), (b, error_b)]
    return _result(array, axes, unindexed, rounding, operands, operands[1])


def power(base: Named, exponent: Named, position: int) -> Named:
    """Raise to a power, entry by entry. Raises AxisError if the axes left out do not fit."""
    axes, unindexed, ((a, error_a), (p, error_p)) = align((base, exponent), position)
    array = _power(a, p)
    slope = np.abs(p * _power(np.abs(a), p - 1))
    rounding = slope * error_a + 2 * _unit(array)
    if np.any(error_p):
        rounding = rounding + np.abs(array * np.log(np.abs(a))) * error_p
    return _result(array, axes, unindexed, rounding, [(a, error_a), (p, error_p)], (a, error_a))


def _power(base: Numbers, exponent: Numbers) -> Numbers:
    """Raise complex numbers to an integer power by multiplication; NumPy uses logarithms."""
    if base.dtype.kind != "c" or not _is_integer(exponent):
        result: Numbers = base**exponent
        return result
    count = int(exponent.flat[0].real)
    product = np.ones_like(base)
    for _ in range(abs(count)):
        product = product * base
    return product if count >= 0 else 1 / product


def _is_integer(exponent: Numbers) -> bool:
    """Whether all entries are the same small integer."""
    first = exponent.flat[0]
    alike = bool(np.isfinite(first) and (exponent == first).all())
    return alike and first == int(first.real) and bool(abs(first) <= _LARGEST_POWER)


def root(value: Named) -> Named:
    """The square root of each entry."""
    array = np.sqrt(value.array)
    size = np.maximum(np.abs(value.array), value.rounding)
    change = np.divide(
        value.rounding, np.sqrt(size), out=np.zeros_like(value.rounding), where=size != 0
    )
    rounding = change + EPSILON * np.abs(array)
    return _result(array, value.axes, value.unindexed, rounding, [(value.array, value.rounding)])


def call(function: str, value: Named) -> Named:
    """Apply a function to each entry.

    Raises:
        NotAnalyticError: the numbers are complex, and the function has no complex derivative.
    """
    apply, slope = _FUNCTIONS[function]
    if value.array.dtype.kind == "c" and function in _REAL:
        raise NotAnalyticError(function)
    array = apply(value.array)
    rounding = np.abs(slope(value.array)) * value.rounding + 2 * _unit(array)
    operand = value.array, value.rounding
    pole = operand if function == "log" else None
    return _result(array, value.axes, value.unindexed, rounding, [operand], pole)


def _sigmoid(x: Numbers) -> Numbers:
    return 0.5 * (1 + np.tanh(0.5 * x))


def _erf(x: Numbers) -> Numbers:
    """The error function; of complex numbers to first order, which a complex step needs."""
    value = np.vectorize(erf, otypes=[np.float64])(x.real)
    return np.asarray(value + _erf_slope(x.real) * 1j * x.imag if x.dtype.kind == "c" else value)


def _erf_slope(x: Numbers) -> Numbers:
    return np.asarray(2 / np.sqrt(np.pi) * np.exp(-x * x))


_REAL = frozenset({"abs", "sign", "relu", "floor", "ceil"})
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
    "erf": (_erf, _erf_slope),
    "Phi": (lambda x: 0.5 * (1 + _erf(x / np.sqrt(2))), np.ones_like),
    "floor": (np.floor, np.zeros_like),
    "ceil": (np.ceil, np.zeros_like),
}


def matmul(left: Named, right: Named, position: int) -> Named:
    r"""Multiply two matrices, or a matrix and a vector, whose indices are left out.

    Raises:
        AxisError: the inner dimensions differ, or both are vectors.
    """
    if len(left.unindexed) == len(right.unindexed) == 1:
        raise AxisError(r"two vectors: write \odot, or ^\top for the inner product", position)
    outer = len(left.unindexed) == 1 and right.unindexed[0] == "1"
    a = left if len(left.unindexed) > 1 else _with_one(left, last=outer)
    b = right if len(right.unindexed) > 1 else _with_one(right, last=True)
    if a.unindexed[-1] != b.unindexed[0]:
        shapes = f"({', '.join(left.unindexed)}) and ({', '.join(right.unindexed)})"
        raise AxisError(f"{shapes} cannot be multiplied as matrices", position)
    unindexed = a.unindexed[:-1] + b.unindexed[1:]
    axes = tuple(dict.fromkeys(a.axes + b.axes))
    (array_a, error_a), (array_b, error_b) = (_spread(item, axes) for item in (a, b))
    size_a, size_b = np.abs(array_a), np.abs(array_b)
    size = size_a @ size_b
    rounding = size_a @ error_b + error_a @ size_b + array_a.shape[-1] * EPSILON * size
    operands = [_whole(array_a, error_a), _whole(array_b, error_b)]
    product = _result(array_a @ array_b, axes, unindexed, rounding, operands)
    dropped = len(left.unindexed) == 1 and not outer, len(right.unindexed) == 1
    return _without_ones(product, *dropped)


def _with_one(value: Named, *, last: bool) -> Named:
    """A vector as a column, or as a row."""
    at = len(value.axes) + last
    return Named(
        array=np.expand_dims(value.array, at),
        axes=value.axes,
        unindexed=(*value.unindexed, "1") if last else ("1", *value.unindexed),
        rounding=np.expand_dims(value.rounding, at),
    )


def _without_ones(value: Named, first: bool, last: bool) -> Named:  # noqa: FBT001 - private
    """Drop the axis of size 1 that made a vector a matrix; a 1 by 1 matrix is a number."""
    count, start = len(value.unindexed), len(value.axes)
    drop = [n for n in range(count) if (n == 0 and first) or (n == count - 1 and last)]
    kept = [name for n, name in enumerate(value.unindexed) if n not in drop]
    if kept and set(kept) == {"1"}:
        drop, kept = list(range(count)), []
    places = tuple(start + n for n in drop)
    return Named(
        array=value.array.squeeze(places),
        axes=value.axes,
        unindexed=tuple(kept),
        rounding=value.rounding.squeeze(places),
    )


def _spread(value: Named, axes: tuple[str, ...]) -> tuple[Numbers, Numbers]:
    """The arrays of a value with all of these axes, of size 1 where it lacks one."""
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
    if len(value.unindexed) == 1:
        return _with_one(value, last=False)
    if len(value.unindexed) != 2:  # noqa: PLR2004 - a matrix
        raise AxisError("only a matrix or a vector without indices can be transposed", position)
    return Named(
        array=value.array.swapaxes(-1, -2),
        axes=value.axes,
        unindexed=value.unindexed[::-1],
        rounding=value.rounding.swapaxes(-1, -2),
    )


IDENTITY = {"sum": 0.0, "prod": 1.0, "max": -np.inf, "min": np.inf}  # replaces masked terms


def reduce(operator: str, value: Named, places: tuple[int, ...]) -> Named:
    """Reduce some axes of a value.

    Args:
        operator: sum, prod, max, min, mean, var or std.
        value: what to reduce.
        places: the positions of the axes to reduce.

    Raises:
        NotAnalyticError: the maximum or minimum of complex numbers.
    """
    array, rounding = _OPERATORS[operator](value, places)
    count = len(value.axes)
    axes = tuple(name for n, name in enumerate(value.axes) if n not in places)
    unindexed = tuple(name for n, name in enumerate(value.unindexed) if n + count not in places)
    return _result(array, axes, unindexed, rounding, [_whole(value.array, value.rounding)])


def _count(value: Named, places: tuple[int, ...]) -> int:
    return int(np.prod([value.array.shape[n] for n in places]))


def _sum(value: Named, places: tuple[int, ...]) -> tuple[Numbers, Numbers]:
    size = np.abs(value.array).sum(places)
    rounding = value.rounding.sum(places) + _count(value, places) * EPSILON * size
    return value.array.sum(places), rounding


def _prod(value: Named, places: tuple[int, ...]) -> tuple[Numbers, Numbers]:
    array, size = value.array.prod(places), np.abs(value.array)
    rounding = (size + value.rounding).prod(places) - size.prod(places)
    return array, rounding + _count(value, places) * EPSILON * np.abs(array)


def _mean(value: Named, places: tuple[int, ...]) -> tuple[Numbers, Numbers]:
    array, rounding = _sum(value, places)
    count = _count(value, places)
    return array / count, rounding / count


def _max(value: Named, places: tuple[int, ...]) -> tuple[Numbers, Numbers]:
    if value.array.dtype.kind == "c":
        raise NotAnalyticError("max")
    return value.array.max(places), value.rounding.max(places)


def _min(value: Named, places: tuple[int, ...]) -> tuple[Numbers, Numbers]:
    array, rounding = _max(negate(value), places)
    return -array, rounding


def _var(value: Named, places: tuple[int, ...]) -> tuple[Numbers, Numbers]:
    array, rounding = _mean(value, places)
    mean = _like(value, np.expand_dims(array, places), np.expand_dims(rounding, places))
    deviation = add((value, negate(mean)), 0)
    return _mean(multiply(deviation, deviation, 0), places)


def _std(value: Named, places: tuple[int, ...]) -> tuple[Numbers, Numbers]:
    array, rounding = _var(value, places)
    variance = Named(array=array, axes=(), rounding=rounding)
    deviation = root(variance)
    return deviation.array, deviation.rounding


_OPERATORS = {
    "sum": _sum, "prod": _prod, "mean": _mean, "max": _max, "min": _min, "var": _var, "std": _std,
}  # fmt: skip


def _like(value: Named, array: Numbers, rounding: Numbers) -> Named:
    operands = [_whole(value.array, value.rounding)]
    return _result(array, value.axes, value.unindexed, rounding, operands)


def softmax(value: Named, place: int) -> Named:
    """The softmax along one axis."""
    largest = np.max(value.array.real, axis=place, keepdims=True)  # any constant does
    shifted = _like(value, value.array - largest, value.rounding + EPSILON * np.abs(largest))
    exponential = call("exp", shifted)
    array, rounding = _sum(exponential, (place,))
    total = _like(value, np.expand_dims(array, place), np.expand_dims(rounding, place))
    return divide(exponential, total, 0)


def norm(kind: str, value: Named, places: tuple[int, ...]) -> Named:
    """A norm over some axes: "2" and "F", "1" or "infty"."""
    if kind in {"2", "F"}:
        return root(reduce("sum", multiply(value, value, 0), places))
    return reduce("sum" if kind == "1" else "max", call("abs", value), places)


def extreme(operator: str, values: tuple[Named, ...], position: int) -> Named:
    """The largest or smallest of several values, entry by entry.

    Raises:
        AxisError: the unindexed axes do not fit.
        NotAnalyticError: the numbers are complex.
    """
    axes, unindexed, parts = align(values, position)
    array, rounding = parts[0]
    for other, error in parts[1:]:
        if "c" in {array.dtype.kind, other.dtype.kind}:
            raise NotAnalyticError(operator)
        array = (np.maximum if operator == "max" else np.minimum)(array, other)
        rounding = np.maximum(rounding, error)
    return Named(array=array, axes=axes, unindexed=unindexed, rounding=rounding)


def diagonal(value: Named) -> Named:
    """The square matrices with vectors on their diagonals."""
    size = value.array.shape[-1]
    return Named(
        array=value.array[..., None] * np.eye(size),
        axes=value.axes,
        unindexed=value.unindexed * 2,
        rounding=value.rounding[..., None] * np.eye(size),
    )


def trace(value: Named) -> Named:
    """The sums of the diagonals of square matrices."""
    vector = Named(
        array=np.diagonal(value.array, axis1=-2, axis2=-1),
        axes=value.axes,
        unindexed=value.unindexed[:1],
        rounding=np.diagonal(value.rounding, axis1=-2, axis2=-1),
    )
    return reduce("sum", vector, (len(value.axes),))


def inverse(value: Named) -> Named:
    """The inverses of square matrices; NaN where there is none."""
    try:
        array = np.linalg.inv(value.array)
    except np.linalg.LinAlgError:
        array = np.full_like(value.array, np.nan)
    size = np.abs(array)
    error = value.rounding + array.shape[-1] * EPSILON * np.abs(value.array)
    return Named(
        array=array,
        axes=value.axes,
        unindexed=value.unindexed[::-1],
        rounding=size @ error @ size + EPSILON * size,
    )
