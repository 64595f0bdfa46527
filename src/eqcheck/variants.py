"""Slightly different inputs, to measure how much rounding there is in what code computes from them.

A value that the code computes from a small difference of large numbers has lost digits, which the
value does not show. But the same code in single precision rounds 5e8 times as coarsely: the
distance between the two results, divided by that, estimates the rounding in double precision.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from eqcheck.named import EPSILON

_SINGLE = float(np.finfo(np.float32).eps)
_TINY = 1e-11  # far above the rounding of double precision, far below what matters


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Inputs that differ little from others.

    Attributes:
        inputs: by name.
        scale: times the change of a value, this estimates the rounding in the original value.
    """

    inputs: Mapping[str, object]
    scale: float


def variants(inputs: Mapping[str, object]) -> tuple[Variant, ...]:
    """Vary inputs: twice in the other precision (single for double), and once by 1e-11.

    Single precision magnifies all rounding, that of the inputs and that within the code. The tiny
    change shows the sensitivity to the inputs where single precision is too coarse: at an offset of
    a million it would leave no digit of a variance.
    """
    double = precision(inputs) == EPSILON
    other: DTypeLike = np.float32 if double else np.float64
    scale = EPSILON / _SINGLE if double else 1.0
    coarse = [
        Variant(inputs=_varied(inputs, seed, _SINGLE, other), scale=scale) for seed in range(2)
    ]
    if not double:
        return tuple(coarse)
    fine = Variant(inputs=_varied(inputs, 2, _TINY, np.float64), scale=EPSILON / _TINY)
    return (*coarse, fine)


def precision(inputs: Mapping[str, object]) -> float:
    """The machine epsilon of the coarsest input."""
    kinds = [value.dtype for value in inputs.values() if isinstance(value, np.ndarray)]
    return max((float(np.finfo(kind).eps) for kind in kinds if kind.kind == "f"), default=EPSILON)


def _varied(
    inputs: Mapping[str, object], seed: int, size: float, kind: DTypeLike
) -> dict[str, object]:
    generator = np.random.default_rng(seed)
    return {name: _move(value, generator, size, kind) for name, value in inputs.items()}


def _move(value: object, generator: np.random.Generator, size: float, kind: DTypeLike) -> object:
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        return value
    factors = 1 + size * generator.choice([-1.0, 1.0], value.shape)
    moved: NDArray[Any] = (value.astype(np.float64) * factors).astype(kind)
    return moved
