"""Compare the terms of a chain of equations, number by number, on samples."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from eqcheck.axes import Dimensions, check_sides
from eqcheck.errors import AxisError
from eqcheck.evaluate import INPUT, Environment, evaluate
from eqcheck.named import EPSILON, Named, Numbers, align
from eqcheck.tree import Chain

TOLERANCE = 16.0
_APPROXIMATELY = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """An equation, or a chain of them, compared with what was observed.

    Attributes:
        holds: whether every relation of the chain holds everywhere on every input.
        largest_absolute: the largest difference between two neighbouring terms, over all inputs.
        largest_relative: the same in relation to the size of the numbers that went into the two
            terms, which is what rounding errors are in proportion to.
        relation: the number of the relation where `largest_relative` was found, counted from 0;
            if the chain fails, it is one that fails on the first input that shows it.
        input: the number of the input, counted from 0.
        where: the value of each index there, counted from 0 as in the code.
        left: the number on the relation's left side there.
        right: the number on its right side.
        inputs: how many inputs were compared.
        methods: how the derivatives were found: "complex step", "central differences" or both.
    """

    holds: bool
    largest_absolute: float
    largest_relative: float
    relation: int
    input: int
    where: dict[str, int]
    left: float
    right: float
    inputs: int
    methods: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Difference:
    """One relation on one input, at its worst place."""

    holds: bool
    absolute: float
    relative: float
    relation: int
    input: int
    where: dict[str, int]
    left: float
    right: float

    @property
    def badness(self) -> tuple[bool, int, float]:
        return not self.holds, 0 if self.holds else -self.input, self.relative


def compare(
    chain: Chain, environments: Sequence[Environment], *, tolerance: float = TOLERANCE
) -> Comparison:
    r"""Compare neighbouring terms of a chain on each of some environments.

    Two numbers are equal if they differ by no more than `tolerance` times a bound on the rounding
    errors of both terms, which grows with the numbers that were added and cancelled. For
    `\approx` one part in a thousand of the larger is allowed as well. NaN equals NaN, and an
    infinity equals itself.

    Args:
        chain: from `parse`.
        environments: the values of the symbols, once for each input or for each size of input; at
            least one.
        tolerance: the factor.

    Raises:
        AxisError: the indices of two terms differ.
        MissingValueError: a symbol or a derivative has no value.
        ValueError: there are no environments.
    """
    if not environments:
        raise ValueError("there is nothing to compare on")
    dimensions = check_sides(chain)
    differences = [
        difference
        for place, environment in enumerate(environments)
        for difference in _differences(
            chain,
            replace(environment, numbers=environment.numbers or (place,)),
            dimensions,
            tolerance,
        )
    ]
    worst = max(differences, key=lambda item: item.badness)
    return Comparison(
        holds=worst.holds,
        largest_absolute=max(item.absolute for item in differences),
        largest_relative=max(item.relative for item in differences),
        relation=worst.relation,
        input=worst.input,
        where=worst.where,
        left=worst.left,
        right=worst.right,
        inputs=sum(len(environment.numbers) or 1 for environment in environments),
    )


def _differences(
    chain: Chain, environment: Environment, dimensions: Dimensions, tolerance: float
) -> list[_Difference]:
    with np.errstate(all="ignore"):
        values = [evaluate(term, environment, dimensions) for term in chain.terms]
        _check_unindexed(chain, values)
        pairs = zip(values, values[1:], chain.relations, strict=False)
        return [
            _difference(_gaps(left, right, relation, tolerance), number, environment.numbers)
            for number, (left, right, relation) in enumerate(pairs)
        ]


def _check_unindexed(chain: Chain, values: list[Named]) -> None:
    """Terms without indices must have the same axes left out, or be numbers."""
    expected: tuple[str, ...] = ()
    for term, value in zip(chain.terms, values, strict=True):
        constant = not value.unindexed and not value.axes
        if value.unindexed and expected and value.unindexed != expected:
            sides = f"({', '.join(value.unindexed)}), and the one before it ({', '.join(expected)})"
            raise AxisError(f"this side has the axes {sides}", term.span[0])
        if expected and not value.unindexed and not constant:
            raise AxisError("this side has no axes left out", term.span[0])
        expected = expected or value.unindexed


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gaps:
    """One relation, number by number: arrays with a first axis for the inputs, then `axes`."""

    axes: tuple[str, ...]
    holds: NDArray[np.bool_]
    missed: Numbers
    relative: Numbers
    left: Numbers
    right: Numbers


def _gaps(left: Named, right: Named, relation: str, tolerance: float) -> _Gaps:
    axes, unindexed, ((a, error_a), (b, error_b)) = align((left, right), 0)
    gap = np.abs(a - b)
    if not (gap > 0).all():  # some are equal, perhaps both infinite
        gap = np.where(a == b, 0.0, gap)
    size = np.maximum(np.abs(a), np.abs(b))
    bound = np.where(np.isfinite(error_a + error_b), error_a + error_b, EPSILON * size)
    missed = _missed(a, b, gap, relation)
    allowed = tolerance * bound + (_APPROXIMATELY * size if relation == r"\approx" else 0.0)
    relative = np.where(missed > 0, missed * EPSILON / bound, 0.0)
    holds = (missed == 0) | (missed <= allowed)  # beside NaN nothing is allowed, nor missed
    arrays = np.broadcast_arrays(holds, missed, relative, a, b)
    if INPUT in axes:
        arrays = tuple(np.moveaxis(array, axes.index(INPUT), 0) for array in arrays)
    else:
        arrays = tuple(array[None] for array in arrays)
    names = tuple(name for name in axes if name != INPUT) + unindexed
    return _Gaps(
        axes=names,
        holds=arrays[0],
        missed=arrays[1],
        relative=arrays[2],
        left=arrays[3],
        right=arrays[4],
    )


def _difference(gaps: _Gaps, relation: int, numbers: tuple[int, ...]) -> _Difference:
    """The first place that fails, or the worst of all if they hold."""
    size = len(gaps.holds)
    holds, relative = gaps.holds.reshape(size, -1), gaps.relative.reshape(size, -1)
    if holds.all():
        first, place = divmod(int(np.argmax(relative)), relative.shape[1])
    else:
        first = int(np.argmin(holds.all(axis=1)))
        place = int(np.argmin(holds[first]))
    inner = [int(n) for n in np.unravel_index(place, gaps.holds.shape[1:])]
    worst = (first, *inner)
    return _Difference(
        holds=bool(holds.all()),
        absolute=float(gaps.missed.max(initial=0.0)),
        relative=float(gaps.relative.max(initial=0.0)),
        relation=relation,
        input=numbers[first],
        where=dict(zip(gaps.axes, inner, strict=True)),
        left=float(gaps.left[worst]),
        right=float(gaps.right[worst]),
    )


def _missed(a: Numbers, b: Numbers, gap: Numbers, relation: str) -> Numbers:
    """By how much a relation is missed: infinitely, where only one side is a number."""
    numbers = np.isnan(a).astype(int) + np.isnan(b)
    missed = np.where(numbers == 1, np.inf, np.where(numbers == 2, 0.0, gap))  # noqa: PLR2004
    missed = np.where(np.isnan(missed), np.inf, missed)
    if relation in {"=", r"\approx"}:
        return missed
    above = a > b if relation in {r"\le", "<"} else a < b
    missed = np.where(above | (numbers == 1), missed, 0.0)
    return np.where(a == b, np.inf, missed) if relation in {"<", ">"} else missed
