"""Inputs to check equations on: random and hard ones."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Shapes = Mapping[str, tuple[str, ...]]
_SMALLEST = 2


def random_inputs(shapes: Shapes, seed: int, count: int) -> list[dict[str, Array]]:
    """Draw inputs from the normal distribution, in sizes that differ from one another.

    Args:
        shapes: for each input's name, the names of its dimensions.
        seed: the same seed gives the same inputs.
        count: how many sets of inputs.
    """
    names = sorted({name for axes in shapes.values() for name in axes})
    generator = np.random.default_rng(seed)
    sizes = _sizes(names)
    return [_normal(shapes, sizes[number % len(sizes)], generator) for number in range(count)]


def _sizes(names: list[str]) -> list[dict[str, int]]:
    """Two ways to give each dimension a size of its own: inputs alike in size are one batch."""
    sizes = [*range(_SMALLEST, _SMALLEST + len(names) + 1)]
    turned = [sizes[-1], *sizes[:-1]]
    return [dict(zip(names, row, strict=False)) for row in (sizes, turned)]


def _normal(
    shapes: Shapes, sizes: Mapping[str, int], generator: np.random.Generator
) -> dict[str, Array]:
    return {
        name: generator.normal(size=tuple(sizes[axis] for axis in axes))
        for name, axes in shapes.items()
    }


def hard_inputs(shapes: Shapes, main: str, seed: int) -> dict[str, dict[str, Array]]:
    """Make inputs at which formulas break, each under a name that says what is hard.

    Args:
        shapes: for each input's name, the names of its dimensions.
        main: the input that is made hard. Its last axis is the one of the features.
        seed: for the other numbers.

    Returns:
        "constant row": all features of the first row of `main` alike; "one feature": its last
        dimension is 1; "huge offset": a million is added to it.
    """
    names = sorted({name for axes in shapes.values() for name in axes})
    sizes = _sizes(names)[0]
    generator = np.random.default_rng(seed)
    constant, offset = (_normal(shapes, sizes, generator) for _ in range(2))
    rows = constant[main].reshape(-1, constant[main].shape[-1])
    rows[0] = rows[0, :1]
    offset[main] = offset[main] + 1e6
    one = _normal(shapes, {**sizes, shapes[main][-1]: 1}, generator)
    return {"constant row": constant, "one feature": one, "huge offset": offset}
