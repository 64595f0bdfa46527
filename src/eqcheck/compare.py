"""Compare the terms of a chain of equations, number by number, on samples.

Two finite numbers are equal if they differ by no more than a multiple of a bound on the rounding in
both, which is not fixed but computed along with them (see `arithmetic`): it grows with the numbers
that were added and cancelled. A bound that is infinite is no bound, and allows nothing.

Infinity and NaN are where a checker is fooled most easily: `L = 1/0` must not hold because anything
is within an infinite tolerance, and `NaN = NaN` says nothing. So

- an infinity equals only the same infinity, and only where the code itself computed one: a mask of
  -inf is a value, the overflow of a formula is not;
- on an ordinary input, anything else that is not finite fails;
- on a hard input, made so that formulas break, a formula may overflow or lose all digits where the
  code does not. That place is not compared, and a `Remark` says so. The code may not: where its
  value is not finite and the formula's is, the equation fails;
- a chain of which nothing was compared does not hold, it is not checked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from eqcheck.axes import Dimensions, check_sides
from eqcheck.errors import AxisError
from eqcheck.evaluate import INPUT, Environment, Occasion, evaluate
from eqcheck.named import EPSILON, Named, Numbers, align
from eqcheck.tree import Chain, Expression, Reference, children

TOLERANCE = 16.0
_HARD = 16.0  # times that on hard inputs: so few digits are left that bounds are estimates
_APPROXIMATELY = 1e-3


class Outcome(Enum):
    """The result of a comparison."""

    HOLDS = "holds"
    FAILS = "fails"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Why something was not compared on one input, though the chain may hold on the others."""

    occasion: Occasion
    relation: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """An equation, or a chain of them, compared with what was observed.

    Attributes:
        outcome: HOLDS if every relation of the chain holds wherever it was compared.
        reason: why it does not hold, in words; empty if it does.
        largest_absolute: the largest difference between two neighbouring terms, over all inputs.
        largest_relative: the same relative to the size of the numbers that the two terms were
            computed from, like a rounding error.
        relation: the number of the relation that fails, counted from 0, or of that where
            `largest_relative` was found.
        occasion: on which input, and in which call, the relation fails or is worst.
        where: the value of each index there, counted from 0 as in the code.
        left: the number on the left side of the relation there.
        right: the number on its right side.
        inputs: how many inputs were compared.
        calls: on how many calls and iterations in all of them.
        remarks: what was not compared.
        approximate: the relations written with an approximate sign where equality holds, too.
        methods: how the derivatives were computed: "complex step", "central differences" or both.
    """

    outcome: Outcome
    reason: str
    largest_absolute: float
    largest_relative: float
    relation: int
    occasion: Occasion
    where: dict[str, int]
    left: float
    right: float
    inputs: int
    calls: int
    remarks: tuple[Remark, ...] = ()
    approximate: tuple[int, ...] = ()
    methods: frozenset[str] = frozenset()

    @property
    def holds(self) -> bool:
        """Whether the chain holds."""
        return self.outcome is Outcome.HOLDS


def compare(
    chain: Chain, environments: Sequence[Environment], *, tolerance: float = TOLERANCE
) -> Comparison:
    r"""Compare neighbouring terms of a chain on each of some environments.

    Args:
        chain: from `parse`.
        environments: the values of the symbols, once for each input or for each size of input; at
            least one.
        tolerance: by how many times the bound on their rounding two equal numbers may differ, on
            an ordinary input. For `\approx` one part in a thousand of the larger is allowed as
            well.

    Raises:
        AxisError: the indices of two terms differ.
        MissingValueError: a symbol or a derivative has no value.
        ValueError: there are no environments.
    """
    if not environments:
        raise ValueError("there is nothing to compare on")
    dimensions = check_sides(chain)
    labelled = [
        environment
        if environment.occasions
        else replace(environment, occasions=(Occasion(input=f"input {number}"),))
        for number, environment in enumerate(environments, start=1)
    ]
    found = [
        relation
        for environment in labelled
        for relation in _relations(chain, environment, dimensions, tolerance)
    ]
    return _comparison(found)


def _comparison(found: "list[_Relation]") -> Comparison:
    failing = [relation for relation in found if relation.reason]
    remarks = tuple(remark for relation in found for remark in relation.remarks)
    # The first input that fails is the simplest, so it tells most; else the worst place of all.
    worst = failing[0] if failing else max(found, key=lambda relation: relation.worst.relative)
    outcome, reason = Outcome.HOLDS, ""
    if failing:
        outcome, reason = Outcome.FAILS, worst.reason
    else:
        numbers = sorted({relation.number for relation in found})
        vacuous = [number for number in numbers if not _compared(found, number)]
        if vacuous:
            outcome = Outcome.NOT_CHECKED
            worst = next(relation for relation in found if relation.number == vacuous[0])
            reason = worst.remarks[0].reason if worst.remarks else "there is nothing to compare"
    compared = _compared(found, worst.number)
    loose = {relation.number for relation in found if relation.approximate}
    strict = {relation.number for relation in found if not relation.equal}
    return Comparison(
        outcome=outcome,
        reason=reason,
        largest_absolute=max(relation.absolute for relation in found),
        largest_relative=max(relation.worst.relative for relation in found),
        relation=worst.number,
        occasion=worst.worst.occasion,
        where=worst.worst.where,
        left=worst.worst.left,
        right=worst.worst.right,
        inputs=len({*compared}),
        calls=len(compared),
        remarks=remarks,
        approximate=tuple(sorted(loose - strict)),
    )


def _compared(found: "list[_Relation]", number: int) -> list[str]:
    return [name for relation in found if relation.number == number for name in relation.compared]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Worst:
    """The place where a relation fails, or where it comes closest to that."""

    occasion: Occasion
    where: dict[str, int]
    left: float
    right: float
    relative: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Relation:
    """One relation in one environment.

    Attributes:
        number: that of the relation in its chain.
        reason: why it fails; empty if it does not.
        remarks: where it was not compared.
        compared: the names of the inputs on which anything was compared, one for each call.
        absolute: the largest difference.
        approximate: whether it is written with an approximate sign.
        equal: whether the sides are equal up to rounding.
    """

    number: int
    reason: str
    remarks: tuple[Remark, ...]
    compared: tuple[str, ...]
    absolute: float
    worst: _Worst
    approximate: bool
    equal: bool


def _relations(
    chain: Chain, environment: Environment, dimensions: Dimensions, tolerance: float
) -> Iterator[_Relation]:
    with np.errstate(all="ignore"):
        values = [evaluate(term, environment, dimensions) for term in chain.terms]
        _check_unindexed(chain, values)
        observed = [
            isinstance(term, Reference) and term.symbol in environment.values
            for term in chain.terms
        ]
        finite = _finite_inputs(chain, environment)
        for number, relation in enumerate(chain.relations):
            sides = _aligned(values[number], values[number + 1], len(environment.occasions))
            factors = np.array([_HARD if one.hard else 1.0 for one in environment.occasions])
            places = _compare_sides(sides, relation, tolerance * factors)
            inputs = _Inputs(
                occasions=environment.occasions,
                finite=finite,
                observed=(observed[number], observed[number + 1]),
            )
            yield _judge(places, number, relation, inputs)


def _check_unindexed(chain: Chain, values: list[Named]) -> None:
    """Terms without indices must have the same unindexed axes, or be numbers."""
    expected: tuple[str, ...] = ()
    for term, value in zip(chain.terms, values, strict=True):
        constant = not value.unindexed and not value.axes
        if value.unindexed and expected and value.unindexed != expected:
            sides = f"({', '.join(value.unindexed)}), and the one before it ({', '.join(expected)})"
            raise AxisError(f"this side has the axes {sides}", term.span[0])
        if expected and not value.unindexed and not constant:
            raise AxisError("this side has no axes left out", term.span[0])
        expected = expected or value.unindexed


def _finite_inputs(chain: Chain, environment: Environment) -> NDArray[np.bool_]:
    """For each occasion, whether the code computed nothing but finite numbers for the chain."""
    finite = np.ones(len(environment.occasions), bool)
    for name in symbols_of(chain):
        value = environment.values.get(name)
        if value is not None and value.array.size:
            array = np.isfinite(value.array)
            if INPUT in value.axes:
                rows = np.moveaxis(array, value.axes.index(INPUT), 0)
                finite &= rows.reshape(len(rows), -1).all(axis=1)
            else:
                finite &= bool(array.all())
    return finite


def symbols_of(chain: Chain) -> frozenset[str]:
    """The symbols in a chain."""
    return frozenset(name for term in chain.terms for name in _symbols(term))


def _symbols(node: Expression) -> Iterator[str]:
    if isinstance(node, Reference):
        yield node.symbol
    for child in children(node):
        yield from _symbols(child)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Inputs:
    """What is known of the inputs of a relation.

    Attributes:
        occasions: the entries of the first axis of its sides.
        finite: for each, whether all values from the code are finite.
        observed: for each side, whether it is such a value, and not a formula.
    """

    occasions: tuple[Occasion, ...]
    finite: NDArray[np.bool_]
    observed: tuple[bool, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """Both sides of a relation: arrays with a first axis for the inputs, then `axes`."""

    axes: tuple[str, ...]
    left: Numbers
    right: Numbers
    bound: Numbers


def _aligned(left: Named, right: Named, inputs: int) -> _Sides:
    axes, unindexed, ((a, error_a), (b, error_b)) = align((left, right), 0)
    arrays = np.broadcast_arrays(a, b, error_a + error_b)
    if INPUT in axes:
        arrays = tuple(np.moveaxis(array, axes.index(INPUT), 0) for array in arrays)
    else:
        arrays = tuple(np.broadcast_to(array, (inputs, *array.shape)) for array in arrays)
    names = tuple(name for name in axes if name != INPUT) + unindexed
    return _Sides(axes=names, left=arrays[0], right=arrays[1], bound=arrays[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Places:
    """A relation at each place. What `holds` and what fails are both compared there.

    Attributes:
        sides: the two sides.
        missed: by how much the relation is missed.
        relative: the same relative to the numbers that went in.
        holds: where both sides are finite, and the relation holds.
        fails: where both sides are finite, and it does not.
        lost: where both are finite, and no digit of their difference is known.
        equal: whether both sides are equal up to rounding, wherever they are finite.
    """

    sides: _Sides
    missed: Numbers
    relative: Numbers
    holds: NDArray[np.bool_]
    fails: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    equal: bool


def _compare_sides(sides: _Sides, relation: str, tolerance: Numbers) -> _Places:
    a, b, bound = sides.left, sides.right, sides.bound
    finite = np.isfinite(a) & np.isfinite(b)
    gap = np.where(finite, np.abs(a - b), 0.0)
    size = np.maximum(np.abs(a), np.abs(b))
    bounded = np.isfinite(bound)
    each = tolerance.reshape(-1, *(1,) * (bound.ndim - 1))
    allowed = each * np.where(bounded, bound, 0.0)
    missed = _missed(a, b, gap, relation)
    loose = allowed + (_APPROXIMATELY * size if relation == r"\approx" else 0.0)
    holds = finite & ((missed == 0) | (missed <= loose))
    lost = finite & ~holds & ~bounded
    return _Places(
        sides=sides,
        missed=np.where(finite, missed, 0.0),
        relative=np.where(finite & bounded & (missed > 0), missed * EPSILON / bound, 0.0),
        holds=holds,
        fails=finite & ~holds & ~lost,
        lost=lost,
        equal=bool((~finite | (gap <= allowed)).all()),
    )


def _missed(a: Numbers, b: Numbers, gap: Numbers, relation: str) -> Numbers:
    """By how much a relation between finite numbers is missed."""
    if relation in {"=", r"\approx"}:
        return gap
    missed = np.where(a > b if relation in {r"\le", "<"} else a < b, gap, 0.0)
    return np.where(a == b, np.inf, missed) if relation in {"<", ">"} else missed


def _judge(places: _Places, number: int, relation: str, inputs: _Inputs) -> _Relation:
    """Judge a relation by its places: the first input on which it fails, or else the worst."""
    sides = places.sides
    rows = len(inputs.occasions)
    finite = np.isfinite(sides.left) & np.isfinite(sides.right)
    suspect = (places.fails | places.lost | ~finite).reshape(rows, -1).any(axis=1)
    compared = np.atleast_1d((places.holds | places.fails).reshape(rows, -1).any(axis=1))
    remarks: list[Remark] = []
    place, reason = None, ""
    for row in map(int, np.flatnonzero(suspect)):
        occasion = inputs.occasions[row]
        for finding in _findings(places, row, relation, inputs):
            if finding.fails:
                place, reason = (row, *finding.place), finding.reason
                break
            remarks.append(Remark(occasion=occasion, relation=number, reason=finding.reason))
        if reason:
            break
        compared[row] |= not inputs.finite[row] and bool(_same_infinity(sides, row).any())
    if place is None and places.relative.size:
        worst = np.unravel_index(int(np.argmax(places.relative)), places.relative.shape)
        place = tuple(int(n) for n in worst)
    return _Relation(
        number=number,
        reason=reason,
        remarks=tuple(remarks),
        compared=tuple(inputs.occasions[row].input for row in np.flatnonzero(compared)),
        absolute=float(places.missed.max(initial=0.0)),
        worst=_worst(places, inputs.occasions, place),
        approximate=relation == r"\approx",
        equal=places.equal,
    )


def _same_infinity(sides: _Sides, row: int) -> NDArray[np.bool_]:
    same: NDArray[np.bool_] = np.isinf(sides.left[row]) & (sides.left[row] == sides.right[row])
    return same


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    """Something other than two equal finite numbers, and the first place that has it."""

    reason: str
    fails: bool
    place: tuple[int, ...]


def _findings(places: _Places, row: int, relation: str, inputs: _Inputs) -> Iterator[_Finding]:
    """What was found on one input; see above for what fails and what is only remarked."""
    a, b = places.sides.left[row], places.sides.right[row]
    hard = inputs.occasions[row].hard
    if places.fails[row].any():
        yield _Finding(reason="the sides differ", fails=True, place=_first(places.fails[row]))
    if places.lost[row].any():
        reason = "rounding leaves no digit of the difference"
        yield _Finding(reason=reason, fails=not hard, place=_first(places.lost[row]))
    infinite = ~np.isfinite(a) | ~np.isfinite(b)
    if not infinite.any():
        return
    if inputs.finite[row]:
        place = _first(infinite)
        what = "the formula overflows: " if hard else ""
        reason = f"{what}{_name(a[place], b[place])}, and all values from the code are finite"
        yield _Finding(reason=reason, fails=not hard, place=place)
        return
    both = np.isnan(a) & np.isnan(b)
    unequal = infinite & ~both & ~_holds_at_infinity(a, b, relation)
    if hard:
        code = [side for side, observed in zip((a, b), inputs.observed, strict=True) if observed]
        overflow = unequal & np.logical_and.reduce([np.isfinite(side) for side in code], axis=0)
        if overflow.any():
            place = _first(overflow)
            reason = f"the formula overflows: {_name(a[place], b[place])}"
            yield _Finding(reason=reason, fails=False, place=place)
        unequal &= ~overflow
    if unequal.any():
        place = _first(unequal)
        yield _Finding(reason=f"{_name(a[place], b[place])}", fails=True, place=place)
    if both.any():
        yield _Finding(reason="both sides are NaN", fails=False, place=_first(both))


def _holds_at_infinity(a: Numbers, b: Numbers, relation: str) -> NDArray[np.bool_]:
    holds: dict[str, NDArray[np.bool_]] = {
        r"\le": a <= b, r"\ge": a >= b, "<": a < b, ">": a > b
    }  # fmt: skip
    return np.asarray(holds.get(relation, a == b))


def _first(mask: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(n) for n in np.unravel_index(int(np.argmax(mask)), mask.shape))


def _name(left: float, right: float) -> str:
    """Which side is not finite, in words."""
    if np.isfinite(left):
        return f"the right side is {_word(right)}"
    if np.isfinite(right):
        return f"the left side is {_word(left)}"
    return f"the left side is {_word(left)}, and the right side {_word(right)}"


def _word(number: float) -> str:
    if np.isnan(number):
        return "NaN"
    return "infinity" if number > 0 else "minus infinity"


def _worst(
    places: _Places, occasions: tuple[Occasion, ...], place: tuple[int, ...] | None
) -> _Worst:
    if place is None:  # arrays of size 0
        return _Worst(occasion=occasions[0], where={}, left=0.0, right=0.0, relative=0.0)
    sides = places.sides
    return _Worst(
        occasion=occasions[place[0]],
        where=dict(zip(sides.axes, place[1:], strict=True)),
        left=float(sides.left[place]),
        right=float(sides.right[place]),
        relative=float(places.relative.max(initial=0.0)),
    )
