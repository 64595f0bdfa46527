"""Partial derivatives of code by running it: the complex step if it works, else differences.

For an analytic f and a tiny real h, f(x + ih) = f(x) + ih f'(x) - h^2 f''(x)/2 - ..., so
Im f(x + ih) / h is f'(x). Unlike a difference quotient it subtracts nothing, so h can be so small
that h^2 vanishes beside x and no digit is lost (Squire and Trapp 1998).

It is wrong, without any error, for code that drops the imaginary part: `abs`, `.real`, a cast to
float. So every derivative is confirmed by one central difference along one direction in which all
entries move; where the two disagree, central differences of each entry take over.

Several perturbations of several arrays are evaluated in one call, since the code runs far more
slowly entry by entry.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from eqcheck.arithmetic import NotAnalyticError
from eqcheck.named import EPSILON, Numbers

COMPLEX_STEP = "complex step"
CENTRAL_DIFFERENCES = "central differences"
_TINY = 2.0**-67  # whose square vanishes, and which single precision can still hold
_STEPS = (1e-5, 1e-3, 1e-4, 1e-7, 1e-9)
_AGREEMENT = 1e-3
_ENOUGH = 1e-7  # of the largest entry: mistakes are of its size
_KINK_STEPS = (1e-4, 1e-6)
_KINK = 1e-6  # a smaller change of slope is none

Axis: TypeAlias = int | tuple[int, ...] | None


class AnalyticArray(np.ndarray[Any, np.dtype[np.complexfloating[Any, Any]]]):
    """A complex array whose variance is the mean of squares, as for real numbers.

    NumPy's own is the mean of |x - mean(x)|**2, which has no complex derivative. `np.var` and
    `np.std` of such an array call these methods; with arguments that they do not have, they raise
    TypeError.
    """

    def var(  # type: ignore[override]
        self,
        axis: Axis = None,
        dtype: None = None,
        out: None = None,
        ddof: float = 0,
        keepdims: bool = False,  # noqa: FBT001, FBT002 - the signature is NumPy's
    ) -> NDArray[Any]:
        """The variance along some axes; `dtype` and `out` must be left as they are."""
        if dtype is not None or out is not None:
            raise TypeError("a variance of complex numbers with dtype or out")
        deviation = self - self.mean(axis=axis, keepdims=True)
        total = (deviation * deviation).sum(axis=axis, keepdims=keepdims)
        return np.asanyarray(total / (self.size / total.size - ddof))

    def std(self, *arguments: Any, **options: Any) -> NDArray[Any]:  # type: ignore[override]  # noqa: ANN401
        """The square root of `var`."""
        return np.asanyarray(np.sqrt(self.var(*arguments, **options)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Perturbation:
    """A small change of arrays.

    Attributes:
        entry: the entry that changes, in C order; None for all, each by its own amount.
        step: by how much, relative to the spread of the array (see `scales`).
    """

    entry: int | None
    step: complex


def perturb(many: NDArray[Any], changes: Sequence[Perturbation]) -> Numbers:
    """Change each of several arrays, stacked along a first axis, in several ways.

    The steps are all real or all imaginary.

    Returns:
        The arrays, with an axis for the changes before all others; complex if the steps are.
    """
    size = many[0].size
    rows = [
        _direction(size) if change.entry is None else np.eye(1, size, change.entry)[0]
        for change in changes
    ]
    steps = np.array([change.step for change in changes])
    imaginary = bool(steps.imag.any())
    amounts = np.stack(rows) * (steps if imaginary else steps.real)[:, None]
    moves = amounts.reshape(len(changes), 1, *many.shape[1:]) * _beside(scales(many), many)
    kind = np.result_type(many, np.complex64 if imaginary else np.float64)
    changed: Numbers = many + moves.astype(kind)
    return changed


def _direction(size: int) -> Numbers:
    return np.asarray(np.cos(np.arange(1.0, size + 1)))  # no two entries alike


def scales(many: NDArray[Any]) -> Numbers:
    """The spread of the entries of each array: the distance over which a function may bend.

    It is rounded to a power of two, so that dividing by it is exact.
    """
    rows = many.reshape(len(many), -1).astype(float)
    with np.errstate(all="ignore"):
        spread = rows.max(axis=1) - rows.min(axis=1)
        spread = np.where(spread > 0, spread, np.abs(rows).max(axis=1))
        return np.where((spread > 0) & np.isfinite(spread), 2 ** np.round(np.log2(spread)), 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A partial derivative at each of several arrays.

    Attributes:
        array: an axis for these, the axes of the function's value, then those of its argument.
            NaN where there is none: at a kink, such as that of |x| at 0.
        error: a bound on the error of each entry.
        methods: how it was computed: "complex step", "central differences" or both.
    """

    array: Numbers
    error: Numbers
    methods: frozenset[str]


Value = Callable[[Sequence[Perturbation]], Numbers]


def differentiate(value: Value, at: NDArray[Any], *, trusted: bool = False) -> Derived:
    """Differentiate a function of an array, entry by entry, at several arrays of one shape.

    Args:
        value: the function's values after each of some perturbations of each of the arrays: a
            first axis for the perturbations, a second one for the arrays.
        at: the arrays at which to differentiate, along a first axis.
        trusted: the function is known to keep imaginary parts, so that nothing is confirmed.

    Returns:
        The derivative, with a first axis for the arrays.
    """
    derivative = _complex_step(value, at)
    if derivative is None:
        return _central_differences(value, at)
    derived = Derived(
        array=derivative, error=EPSILON * np.abs(derivative), methods=frozenset({COMPLEX_STEP})
    )
    good = np.ones(len(at), bool) if trusted else _confirmed(derivative, value, at)
    return derived if good.all() else _chosen(good, derived, _central_differences(value, at))


def _chosen(first: NDArray[np.bool_], one: Derived, other: Derived) -> Derived:
    """The first of two derivatives where `first` is true, else the second."""
    where = _beside(first, one.array)
    return Derived(
        array=np.where(where, one.array, other.array),
        error=np.where(where, one.error, other.error),
        methods=(one.methods if first.any() else frozenset()) | other.methods,
    )


def along_direction(value: Value, at: NDArray[Any]) -> Numbers:
    """The derivative along one direction, by complex step."""
    (rows,) = np.imag(value((Perturbation(entry=None, step=complex(0, _TINY)),)))
    return np.asarray(rows / _beside(_TINY * scales(at), rows))


def contracted(derivative: Numbers, at: NDArray[Any]) -> Numbers:
    """The derivative along the same direction, from that by each entry of the arrays `at`."""
    rows = derivative.reshape(*derivative.shape[: derivative.ndim - at.ndim + 1], -1)
    return np.asarray(rows @ _direction(at[0].size))


def _complex_step(value: Value, at: NDArray[Any]) -> Numbers | None:
    """The derivative by complex step; None if the function refuses complex numbers."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            rows = _last(np.imag(value(_each(at, complex(0, _TINY)))), at)
    except (TypeError, ValueError, NotAnalyticError, np.exceptions.ComplexWarning):
        return None
    return np.asarray(rows / _beside(_TINY * scales(at), rows))


def _each(at: NDArray[Any], step: complex) -> tuple[Perturbation, ...]:
    return tuple(Perturbation(entry=entry, step=step) for entry in range(at[0].size))


def _last(rows: Numbers, at: NDArray[Any]) -> Numbers:
    """Move the first axis, with an entry for each of an array's, to the end, in its shape."""
    return np.moveaxis(rows, 0, -1).reshape(rows.shape[1:] + at.shape[1:])


def _confirmed(derivative: Numbers, value: Value, at: NDArray[Any]) -> NDArray[np.bool_]:
    """For which arrays a central difference along one direction agrees, at some step."""
    slope = contracted(derivative, at)
    agrees = np.zeros(len(at), bool)
    for relative in _STEPS:
        step = relative * scales(at)
        changes = [Perturbation(entry=None, step=complex(h)) for h in (-relative, relative)]
        below, above = value(changes)
        difference = (above - below) / _beside(2 * step, above)
        noise = 100 * EPSILON * _each_largest(above) / step
        size = np.maximum(_each_largest(slope), _each_largest(difference))
        agrees |= _each_largest(slope - difference) <= _AGREEMENT * size + noise
        if agrees.all():
            break
    return agrees


def _beside(each: NDArray[Any], array: Numbers) -> NDArray[Any]:
    """One number for each entry of the first axis, shaped to broadcast with the array."""
    return each.reshape(-1, *(1,) * (array.ndim - 1))


def _each_largest(array: Numbers) -> Numbers:
    """The largest size along all axes but the first."""
    size = np.abs(array)
    return np.asarray(size.max(axis=tuple(range(1, array.ndim)), initial=0.0))


def _central_differences(value: Value, at: NDArray[Any]) -> Derived:
    """Differences at two steps, extrapolated, at the scale at which the two agree best."""
    best: Derived | None = None
    for relative in _STEPS:
        step = relative * scales(at)
        (near, size), (far, _) = (_differences(value, at, relative * n) for n in (1.0, 2.0))
        change = _each_largest(near) * _each_largest(at)
        gap = _each_largest(near - far) + 10 * EPSILON * (size + change) / step
        derived = Derived(
            array=(4 * near - far) / 3,
            error=np.broadcast_to(_beside(gap, near), near.shape),
            methods=frozenset({CENTRAL_DIFFERENCES}),
        )
        if best is not None:
            derived = _chosen(np.asarray(gap < _each_largest(best.error)), derived, best)
        best = derived
        if (_each_largest(best.error) <= _ENOUGH * _each_largest(best.array)).all():
            break
    assert best is not None  # noqa: S101 - there are steps
    array = np.where(_kinks(value, at), np.nan, best.array)
    return replace(best, array=array, error=np.where(np.isnan(array), 0.0, best.error))


def _kinks(value: Value, at: NDArray[Any]) -> NDArray[np.bool_]:
    """Where the differences to the left and to the right do not approach one another.

    For a smooth function they differ by h f''(x), so much less for a smaller step; at a kink such
    as |x| at 0 by the same at any step, and at a jump by more.
    """
    (middle,) = value((Perturbation(entry=None, step=0.0),))
    bends = []
    for relative in _KINK_STEPS:
        above, below = (value(_each(at, complex(h))) for h in (relative, -relative))
        rows = _last((above - middle) - (middle - below), at)
        step = relative * scales(at)
        noise = 10 * EPSILON * _each_largest(np.moveaxis(above, 1, 0)) / step
        bends.append((np.abs(rows) / _beside(step, rows), _beside(noise, rows)))
    (coarse, _), (fine, noise) = bends
    bent: NDArray[np.bool_] = (fine > 0.5 * coarse) & (fine > 10 * noise + _KINK)
    return bent


def _differences(value: Value, at: NDArray[Any], relative: float) -> tuple[Numbers, Numbers]:
    """Central differences, and the largest value seen at each of the arrays."""
    above, below = (value(_each(at, complex(h))) for h in (relative, -relative))
    rows = _last(above - below, at)
    size = np.abs(above).max(axis=(0, *range(2, above.ndim)), initial=0.0)
    return rows / _beside(2 * relative * scales(at), rows), size
