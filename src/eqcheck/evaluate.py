"""Evaluate an expression tree on arrays whose axes have names (see `named`).

A value may have leading axes that the equation does not mention: one for the inputs, so that an
equation is evaluated once for all of them, and one for the perturbations while a derivative is
taken. Since axes are matched by name, no operation needs to know about them.
"""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce as fold
from typing import Any

import numpy as np

from eqcheck import arithmetic
from eqcheck.axes import Dimensions, index_dimensions
from eqcheck.errors import AxisError, EquationError
from eqcheck.named import EPSILON, Named, align, arrange, named
from eqcheck.tree import (
    Absolute,
    Add,
    Call,
    Cases,
    Condition,
    Constant,
    Delta,
    Derivative,
    Expression,
    Fraction,
    Hadamard,
    Indicator,
    Negate,
    Number,
    Position,
    Power,
    Product,
    Reduce,
    Reference,
    Root,
    Softmax,
    Transpose,
)

INPUT = "<input>"  # the axis of the inputs; no index or dimension can have this name
CHANGE = "<change>"  # the axis of the perturbations, while a derivative is taken
LEADING = (CHANGE, INPUT)  # in this order, before all others

_CONSTANTS = {"pi": np.pi, "e": np.e, "infty": np.inf}
_COMPARISONS: dict[str, Callable[[Any, Any], object]] = {
    "=": operator.eq, r"\ne": operator.ne, "<": operator.lt, ">": operator.gt,
    r"\le": operator.le, r"\ge": operator.ge,
}  # fmt: skip


class MissingValueError(EquationError):
    """A symbol has no value, or a derivative cannot be computed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What values were computed from: one entry of the axis `INPUT`.

    Attributes:
        input: the name of the input.
        hard: whether a formula may break on it where the code does not (see `inputs`).
        call: which call or iteration of several it is, in words; empty for the only one.
    """

    input: str
    hard: bool = False
    call: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """The values that an expression is evaluated on.

    Attributes:
        values: for each symbol, by its LaTeX, an array with an axis for each dimension it was
            declared with; those of `LEADING` may stand before them.
        sizes: the size of each dimension.
        occasions: what the entries along the axis `INPUT` are; empty without that axis.
        derivative: the partial derivative of a symbol with respect to another one: an array with
            the axes of the first, then those of the second, perhaps after the axis `INPUT`.
        unknown: why symbols have no value.
    """

    values: Mapping[str, Named]
    sizes: Mapping[str, int]
    occasions: tuple[Occasion, ...] = ()
    derivative: Callable[[str, str], Named] | None = None
    unknown: Mapping[str, str] = field(default_factory=dict)


def evaluate(
    expression: Expression, environment: Environment, dimensions: Dimensions | None = None
) -> Named:
    """The value of an expression.

    Args:
        expression: from `parse`.
        environment: the values of its symbols.
        dimensions: over which dimension each index runs; found from the expression if left out.

    Raises:
        AxisError: indices or the axes left out do not fit.
        MissingValueError: a symbol or a derivative has no value.
    """
    if dimensions is None:
        dimensions = index_dimensions((expression,))
    with np.errstate(all="ignore"):
        return _Evaluator(environment, dimensions).value(expression)


class _Evaluator:
    """One method for each kind of node."""

    def __init__(self, environment: Environment, dimensions: Dimensions) -> None:
        self.environment = environment
        self.dimensions = dimensions

    def value(self, node: Expression) -> Named:
        return _KINDS[type(node)](self, node)

    def number(self, node: Number) -> Named:
        exact = float(node.text).is_integer()
        return named(float(node.text), (), 0.0 if exact else EPSILON)

    def constant(self, node: Constant) -> Named:
        return named(_CONSTANTS[node.name], ())

    def reference(self, node: Reference) -> Named:
        value = self.environment.values.get(node.symbol)
        if value is None:
            if node.symbol in self.environment.sizes and not node.axes:
                return named(self.environment.sizes[node.symbol], ())
            reason = self.environment.unknown.get(node.symbol, f"{node.symbol} has no value")
            raise MissingValueError(reason, node.span[0])
        names, unindexed = _names(node)
        return _with_leading(value, names, unindexed)

    def derivative(self, node: Derivative) -> Named:
        if self.environment.derivative is None:
            raise MissingValueError("no derivatives are known here", node.span[0])
        try:
            value = self.environment.derivative(node.of.symbol, node.wrt.symbol)
        except LookupError as error:
            raise MissingValueError(str(error.args[0]), node.span[0]) from error
        (names_of, unindexed_of), (names_wrt, unindexed_wrt) = _names(node.of), _names(node.wrt)
        return _with_leading(value, names_of + names_wrt, unindexed_of + unindexed_wrt)

    def delta(self, node: Delta) -> Named:
        size = self._size(node.first)
        if node.first == node.second:
            return named(np.ones(size, dtype=int), (node.first,))
        return named(np.eye(size, dtype=int), (node.first, node.second))

    def _size(self, index: str) -> int:
        return self.environment.sizes[self.dimensions[index]]

    def add(self, node: Add) -> Named:
        return arithmetic.add(tuple(map(self.value, node.terms)), node.span[0])

    def negate(self, node: Negate) -> Named:
        return arithmetic.negate(self.value(node.operand))

    def product(self, node: Product) -> Named:
        def times(left: Named, right: Named) -> Named:
            matrices = left.unindexed and right.unindexed
            multiply = arithmetic.matmul if matrices else arithmetic.multiply
            return multiply(left, right, node.span[0])

        return fold(times, map(self.value, node.factors))

    def hadamard(self, node: Hadamard) -> Named:
        values = map(self.value, node.factors)
        return fold(lambda a, b: arithmetic.multiply(a, b, node.span[0]), values)

    def fraction(self, node: Fraction) -> Named:
        above, below = self.value(node.numerator), self.value(node.denominator)
        return arithmetic.divide(above, below, node.span[0])

    def power(self, node: Power) -> Named:
        base, exponent = self.value(node.base), self.value(node.exponent)
        if len(base.unindexed) > 1 and not isinstance(node.base, Hadamard):
            message = r"a power of a matrix without indices: entry by entry, or the matrix power?"
            raise AxisError(message, node.span[0])
        return arithmetic.power(base, exponent, node.span[0])

    def root(self, node: Root) -> Named:
        radicand = self.value(node.radicand)
        if node.degree is None:
            return arithmetic.root(radicand)
        exponent = arithmetic.divide(named(1, ()), self.value(node.degree), node.span[0])
        return arithmetic.power(radicand, exponent, node.span[0])

    def absolute(self, node: Absolute) -> Named:
        return arithmetic.call("abs", self.value(node.operand))

    def transpose(self, node: Transpose) -> Named:
        return arithmetic.transpose(self.value(node.operand), node.span[0])

    def call(self, node: Call) -> Named:
        return arithmetic.call(node.function, self.value(node.argument))

    def softmax(self, node: Softmax) -> Named:
        value = self.value(node.argument)
        if node.index not in value.axes:
            raise AxisError(f"its argument has no index {node.index}", node.span[0])
        return arithmetic.softmax(value, value.axes.index(node.index))

    def reduce(self, node: Reduce) -> Named:
        value = self.value(node.body)
        if node.condition is not None:
            value = self._masked(node, value)
        if node.lower is not None and node.upper is not None:
            self._check_limits(node, node.lower, node.upper)
        places = tuple(value.axes.index(index) for index in node.indices if index in value.axes)
        if len(places) < len(node.indices):
            raise AxisError("nothing in it has this index", node.span[0])
        if not node.indices:
            places = tuple(n for n, name in enumerate(value.axes) if self._left_out(name))
            places += tuple(range(len(value.axes), value.array.ndim))
            if not places:
                raise AxisError(f"{node.operator} over which index?", node.span[0])
        return arithmetic.reduce(node.operator, value, places)

    def _left_out(self, name: str) -> bool:
        """Whether an axis is a batch dimension, which has no index in the equation."""
        return name in self.environment.sizes and name not in self.dimensions

    def _masked(self, node: Reduce, value: Named) -> Named:
        if node.operator not in arithmetic.IDENTITY or node.condition is None:
            raise AxisError(f"{node.operator} takes no condition", node.span[0])
        mask = self.value(node.condition)
        identity = named(arithmetic.IDENTITY[node.operator], (), 0.0)
        return _choose(mask, value, identity, node.span[0])

    def _check_limits(self, node: Reduce, lower: Expression, upper: Expression) -> None:
        """A sum from 1 to d must be over all of an axis."""
        size = self._size(node.indices[0])
        limits = self.value(lower), self.value(upper)
        numbers = [set(limit.array.ravel().tolist()) for limit in limits]
        simple = all(set(limit.axes) <= set(LEADING) and not limit.unindexed for limit in limits)
        if not simple or numbers not in ([{1}, {size}], [{0}, {size - 1}]):
            name = self.dimensions[node.indices[0]]
            message = f"the limits are not those of {name}, which are 1 and {size}"
            raise AxisError(message, node.span[0])

    def position(self, node: Position) -> Named:
        return named(np.arange(self._size(node.index)), (node.index,))

    def condition(self, node: Condition) -> Named:
        left, right = self.value(node.left), self.value(node.right)
        complex_numbers = "c" in {left.array.dtype.kind, right.array.dtype.kind}
        if complex_numbers and node.relation not in {"=", r"\ne"}:
            raise arithmetic.NotAnalyticError(node.relation)
        axes, unindexed, ((a, _), (b, _)) = align((left, right), node.span[0])
        array = np.asarray(_COMPARISONS[node.relation](a, b)).astype(float)
        return Named(array=array, axes=axes, unindexed=unindexed, rounding=np.zeros_like(array))

    def indicator(self, node: Indicator) -> Named:
        return self.value(node.condition)

    def cases(self, node: Cases) -> Named:
        complete = len(node.values) > len(node.conditions)
        result = self.value(node.values[-1]) if complete else named(np.nan, ())
        pairs = zip(node.values, node.conditions, strict=False)
        for value, condition in reversed(tuple(pairs)):
            result = _choose(self.value(condition), self.value(value), result, node.span[0])
        return result


def _with_leading(value: Named, names: tuple[str, ...], unindexed: tuple[bool, ...]) -> Named:
    """Rename the declared axes of a value, and keep the leading ones."""
    leading = value.axes[: value.array.ndim - len(names)]
    return arrange(value, leading + names, unindexed=(False,) * len(leading) + unindexed)


def _choose(mask: Named, left: Named, right: Named, position: int) -> Named:
    axes, unindexed, parts = align((mask, left, right), position)
    (where, _), (a, error_a), (b, error_b) = parts
    chosen = where != 0
    rounding = np.where(chosen, error_a, error_b)
    return Named(array=np.where(chosen, a, b), axes=axes, unindexed=unindexed, rounding=rounding)


def _names(node: Reference) -> tuple[tuple[str, ...], tuple[bool, ...]]:
    """For each axis its index, or else its dimension, and whether it is unindexed."""
    batch = node.axes[: node.implicit]
    rest = node.axes[node.implicit :]
    if node.indices:
        return batch + node.indices, (False,) * len(node.axes)
    return batch + rest, (False,) * len(batch) + (True,) * len(rest)


_KINDS: dict[type, Callable[..., Named]] = {
    Number: _Evaluator.number,
    Constant: _Evaluator.constant,
    Reference: _Evaluator.reference,
    Derivative: _Evaluator.derivative,
    Delta: _Evaluator.delta,
    Add: _Evaluator.add,
    Negate: _Evaluator.negate,
    Product: _Evaluator.product,
    Hadamard: _Evaluator.hadamard,
    Fraction: _Evaluator.fraction,
    Power: _Evaluator.power,
    Root: _Evaluator.root,
    Absolute: _Evaluator.absolute,
    Transpose: _Evaluator.transpose,
    Call: _Evaluator.call,
    Softmax: _Evaluator.softmax,
    Reduce: _Evaluator.reduce,
    Position: _Evaluator.position,
    Condition: _Evaluator.condition,
    Indicator: _Evaluator.indicator,
    Cases: _Evaluator.cases,
}
