"""Inputs moved by a hair or rounded, to measure how much rounding there is in results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from eqcheck.named import EPSILON

_SINGLE = float(np.finfo(np.float32).eps)
_HAIR = 1e-11  # far above the rounding of double precision, far below what matters


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Inputs much like some others.

    Attributes:
        inputs: by name.
        share: what part of a value's move is rounding that the original's value can have.
    """

    inputs: Mapping[str, object]
    share: float


def variants(inputs: Mapping[str, object]) -> tuple[Variant, ...]:
    """Vary inputs: twice in the other precision, single for double, and once by a hair.

    In single precision everything that rounds shows, magnified: errors of the input, and digits
    that the code itself cancels away. The hair shows what single precision is too coarse for.
    """
    double = precision(inputs) == EPSILON
    other: DTypeLike = np.float32 if double else np.float64
    share = EPSILON / _SINGLE if double else 1.0
    coarse = [
        Variant(inputs=_varied(inputs, seed, _SINGLE, other), share=share) for seed in range(2)
    ]
    if not double:
        return tuple(coarse)
    fine = Variant(inputs=_varied(inputs, 2, _HAIR, np.float64), share=EPSILON / _HAIR)
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
