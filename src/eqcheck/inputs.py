"""Inputs to check equations on: random ones, and ones that are hard."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Shapes = Mapping[str, tuple[str, ...]]
_SMALLEST, _LARGEST = 2, 6


def random_inputs(shapes: Shapes, seed: int, count: int) -> list[dict[str, Array]]:
    """Draw inputs from the normal distribution, in sizes that differ from one another.

    Args:
        shapes: for each input's name, the names of its dimensions.
        seed: the same seed gives the same inputs.
        count: how many sets of inputs.

    Raises:
        ValueError: there are more dimensions than different small sizes.
    """
    names = sorted({name for axes in shapes.values() for name in axes})
    largest = max(_LARGEST, _SMALLEST + len(names) - 1)
    generator = np.random.default_rng(seed)
    many = []
    for _ in range(count):
        drawn = generator.permutation(np.arange(_SMALLEST, largest + 1))[: len(names)]
        sizes = {name: int(size) for name, size in zip(names, drawn, strict=True)}
        many.append(_normal(shapes, sizes, generator))
    return many


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
    sizes = {name: _SMALLEST + number for number, name in enumerate(names)}
    generator = np.random.default_rng(seed)
    constant, offset = (_normal(shapes, sizes, generator) for _ in range(2))
    rows = constant[main].reshape(-1, constant[main].shape[-1])
    rows[0] = rows[0, :1]
    offset[main] = offset[main] + 1e6
    one = _normal(shapes, {**sizes, shapes[main][-1]: 1}, generator)
    return {"constant row": constant, "one feature": one, "huge offset": offset}
