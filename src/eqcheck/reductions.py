"""Sums, products, extremes, means and variances along named axes, and the softmax."""

import numpy as np

from eqcheck.arithmetic import NotAnalyticError, add, call, divide, multiply, negate, root
from eqcheck.named import EPSILON, Named, Numbers

IDENTITY = {"sum": 0.0, "prod": 1.0, "max": -np.inf, "min": np.inf}  # what masked terms become


def reduce(operator: str, value: Named, places: tuple[int, ...]) -> Named:
    """Reduce some axes of a value.

    Args:
        operator: sum, prod, max, min, mean, var or std.
        value: what to reduce.
        places: the numbers of the axes that go.

    Raises:
        NotAnalyticError: of complex numbers, a maximum or minimum.
    """
    array, rounding = _OPERATORS[operator](value, places)
    count = len(value.axes)
    return Named(
        array=array,
        axes=tuple(name for n, name in enumerate(value.axes) if n not in places),
        whole=tuple(name for n, name in enumerate(value.whole) if n + count not in places),
        rounding=rounding,
    )


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
    return Named(array=array, axes=value.axes, whole=value.whole, rounding=rounding)


def softmax(value: Named, place: int) -> Named:
    """The softmax along one axis, which stays."""
    largest = np.max(value.array.real, axis=place, keepdims=True)  # any constant does
    shifted = _like(value, value.array - largest, value.rounding + EPSILON * np.abs(largest))
    exponential = call("exp", shifted)
    array, rounding = _sum(exponential, (place,))
    total = _like(value, np.expand_dims(array, place), np.expand_dims(rounding, place))
    return divide(exponential, total, 0)
