"""Partial derivatives by running: complex step where the code allows it, else differences.

The complex step f(x + ih) = f(x) + ih f'(x) loses no digits, however small h is. Code that drops
the imaginary part (`abs`, `.real`, a cast to float) would make it lie, so each result is held
against one central difference along one direction, and central differences take over where it
does not agree.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqcheck.arithmetic import NotAnalyticError
from eqcheck.named import EPSILON, Numbers

COMPLEX_STEP = "complex step"
CENTRAL_DIFFERENCES = "central differences"
_TINY = 1e-20  # whose square vanishes, and which single precision can still hold
_STEPS = (1e-5, 1e-3, 1e-4, 1e-7, 1e-9)  # relative to the spread of the inputs
_AGREEMENT = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Perturbation:
    """A small change of an array.

    Attributes:
        entry: which entry changes, counted in C order; None for all, each by its own amount.
        step: by how much.
    """

    entry: int | None
    step: complex

    def apply(self, array: NDArray[Any]) -> Numbers:
        """The array, changed; complex if the step is."""
        step = self.step if self.step.imag else self.step.real
        kind = np.result_type(array, np.complex64 if self.step.imag else np.float64)
        amounts = np.zeros(array.size)
        if self.entry is None:
            amounts = _direction(array.size)
        else:
            amounts[self.entry] = 1.0
        changed: Numbers = array + (step * amounts).reshape(array.shape).astype(kind)
        return changed


def _direction(size: int) -> Numbers:
    return np.asarray(np.cos(np.arange(1.0, size + 1)))  # no two entries alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """A partial derivative.

    Attributes:
        array: the axes of the function's value, then those of what was changed.
        error: a bound on the error of each entry.
        method: "complex step" or "central differences".
    """

    array: Numbers
    error: Numbers
    method: str


Value = Callable[[Sequence[Perturbation]], Numbers]


def differentiate(value: Value, at: NDArray[Any], *, trusted: bool = False) -> Derived:
    """Differentiate a function of an array, entry by entry.

    Args:
        value: the function's values, arrays stacked along a first axis, after each of some
            perturbations of `at`.
        at: the array at which to differentiate.
        trusted: the function is known not to drop imaginary parts, so nothing is confirmed.

    Returns:
        The derivative; its shape is the value's, then that of `at`.
    """
    derivative = _complex_step(value, at)
    if derivative is not None and (trusted or _confirmed(derivative, value, at)):
        error = EPSILON * np.abs(derivative)
        return Derived(array=derivative, error=error, method=COMPLEX_STEP)
    return _central_differences(value, at)


def along_direction(value: Value) -> Numbers:
    """The derivative along one direction, by complex step, of a function that allows that."""
    (row,) = np.imag(value((Perturbation(entry=None, step=complex(0, _TINY)),))) / _TINY
    return np.asarray(row)


def contracted(derivative: Numbers, at: NDArray[Any]) -> Numbers:
    """The derivative along that direction, from the one by each entry of `at`."""
    rows = derivative.reshape(*derivative.shape[: derivative.ndim - at.ndim], -1)
    return np.asarray(rows @ _direction(at.size))


def _complex_step(value: Value, at: NDArray[Any]) -> Numbers | None:
    """The derivative by complex step; None if the function refuses complex numbers."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            rows = np.imag(value(_each(at, complex(0, _TINY)))) / _TINY
    except (TypeError, ValueError, NotAnalyticError, np.exceptions.ComplexWarning):
        return None
    return _last(rows, at)


def _each(at: NDArray[Any], step: complex) -> tuple[Perturbation, ...]:
    return tuple(Perturbation(entry=entry, step=step) for entry in range(at.size))


def _last(rows: Numbers, at: NDArray[Any]) -> Numbers:
    """Move the first axis, one place for each entry of `at`, to the end in the shape of `at`."""
    return np.moveaxis(rows, 0, -1).reshape(rows.shape[1:] + at.shape)


def _confirmed(derivative: Numbers, value: Value, at: NDArray[Any]) -> bool:
    """Whether one central difference, along one direction, agrees at some step."""
    slope = contracted(derivative, at)
    for relative in _STEPS:
        step = relative * _scale(at)
        below, above = value([Perturbation(entry=None, step=complex(h)) for h in (-step, step)])
        difference = (above - below) / (2 * step)
        noise = 100 * EPSILON * _largest(above) / step
        size = max(_largest(slope), _largest(difference))
        if _largest(slope - difference) <= _AGREEMENT * size + noise:
            return True
    return False


def _largest(array: Numbers) -> float:
    return float(np.max(np.abs(array), initial=0.0))


def _scale(at: NDArray[Any]) -> float:
    """How far apart the inputs are: over that distance a function may change its course."""
    return float(np.ptp(at)) or _largest(at) or 1.0


def _central_differences(value: Value, at: NDArray[Any]) -> Derived:
    """Differences at two steps, extrapolated, at whichever scale the two agree best."""
    best: Derived | None = None
    for relative in _STEPS:
        step = relative * _scale(at)
        (near, size), (far, _) = (_differences(value, at, step * factor) for factor in (1.0, 2.0))
        noise = 10 * EPSILON * (size + _largest(near) * _largest(at)) / step
        gap = _largest(near - far) + noise
        if best is None or gap < _largest(best.error):
            error = np.full(near.shape, gap)
            best = Derived(array=(4 * near - far) / 3, error=error, method=CENTRAL_DIFFERENCES)
    assert best is not None  # noqa: S101 - there are steps
    return best


def _differences(value: Value, at: NDArray[Any], step: float) -> tuple[Numbers, float]:
    """Central differences, and the largest value met."""
    above, below = (value(_each(at, complex(h))) for h in (step, -step))
    return _last((above - below) / (2 * step), at), _largest(above)
