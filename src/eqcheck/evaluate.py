"""Evaluate an expression tree on arrays whose axes have names (see `named`).

A value may have leading axes that the equation does not mention: one for the inputs, so that an
equation is evaluated once for all of them, and one for the perturbations while a derivative is
taken. Since axes are matched by name, no operation needs to know about them.
"""

import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import reduce as fold
from typing import Any

import numpy as np

from eqcheck import arithmetic
from eqcheck.axes import Dimensions, index_dimensions
from eqcheck.errors import AxisError, EquationError
from eqcheck.named import EPSILON, Named, Numbers, align, arrange, named
from eqcheck.tree import (
    Absolute,
    Add,
    Array,
    Call,
    Cases,
    Colon,
    Condition,
    Constant,
    Delta,
    Derivative,
    Diagonal,
    Element,
    Expression,
    Extent,
    Extreme,
    Fraction,
    Hadamard,
    Indicator,
    Inner,
    Interval,
    Inverse,
    Negate,
    Norm,
    Number,
    Ones,
    Position,
    Power,
    Product,
    Reduce,
    Reference,
    Restricted,
    Root,
    Softmax,
    Trace,
    Transpose,
    walk,
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
        self._guards: list[Named] = []  # where the value of what is evaluated now is used

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
        guards = [self.value(factor) for factor in node.factors if isinstance(factor, Indicator)]
        with self._where(*guards):
            return self._product(node)

    def _product(self, node: Product) -> Named:
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
        matrix = len(base.unindexed) == 2 and len(set(base.unindexed)) == 1  # noqa: PLR2004
        if matrix and not isinstance(node.base, Hadamard):
            message = r"a power of a square matrix: the matrix power, or entry by entry (\odot)?"
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
        if not node.index:
            if not value.unindexed:
                raise AxisError("the softmax needs an index here", node.span[0])
            return arithmetic.softmax(value, value.array.ndim - 1)
        if node.index not in value.axes:
            raise AxisError(f"its argument has no index {node.index}", node.span[0])
        return arithmetic.softmax(value, value.axes.index(node.index))

    def reduce(self, node: Reduce) -> Named:
        mask = self._mask(node)
        if mask is None:
            value = self.value(node.body)
        else:
            with self._where(mask):
                value = self._masked(node, self.value(node.body), mask)
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

    def _mask(self, node: Reduce) -> Named | None:
        """Which terms a reduction takes; None for all."""
        if node.lower is not None and node.upper is not None:
            limits = self.value(node.lower), self.value(node.upper)
            return self._between(node.indices[0], limits, node.origin, node)
        return None if node.condition is None else self.value(node.condition)

    def _masked(self, node: Reduce, value: Named, mask: Named) -> Named:
        if node.operator not in arithmetic.IDENTITY:
            raise AxisError(f"{node.operator} takes no condition", node.span[0])
        identity = named(arithmetic.IDENTITY[node.operator], (), 0.0)
        return _choose(mask, value, identity, node.span[0])

    def _between(
        self, index: str, limits: tuple[Named, Named], base: int, node: Reduce | Interval
    ) -> Named | None:
        """Where an index is within limits; None if that is everywhere.

        A limit may be outside of the axis only where there is nothing between the limits.
        """
        name, size = self.dimensions[index], self._size(index)
        for limit in (node.lower, node.upper):
            for item in walk(limit) if limit is not None else ():
                if isinstance(item, Reference) and item.symbol in self._foreign(name):
                    message = f"{index} runs over {name}, whose last value is not {item.symbol}"
                    raise AxisError(message, item.span[0])
        last = named(base + size - 1, ())
        axes, _, arrays = align((*limits, last), node.span[0])
        (low, _), (high, _), (end, _) = arrays
        outside = (low <= high) & ((low < base) | (high > end))
        if any(limit.unindexed for limit in limits) or self._used(outside, axes).any():
            message = f"the limits are not within those of {name}, which are {base} and "
            raise AxisError(f"{message}{base + size - 1}", node.span[0])
        if (low == base).all() and (high == end).all():
            return None
        places = named(np.arange(base, base + size), (index,))
        axes, _, ((place, _), (low, _), (high, _)) = align((places, *limits), node.span[0])
        within = np.asarray((low <= place) & (place <= high)).astype(float)
        return Named(array=within, axes=axes, rounding=np.zeros_like(within))

    def _foreign(self, name: str) -> frozenset[str]:
        """The dimensions other than one."""
        return frozenset(self.environment.sizes) - {name}

    @contextmanager
    def _where(self, *masks: Named) -> Iterator[None]:
        """Evaluate something that is used only where all masks are true."""
        self._guards += masks
        yield
        del self._guards[len(self._guards) - len(masks) :]

    def _used(self, places: Numbers, axes: tuple[str, ...]) -> Numbers:
        """Of some places those whose value is used."""
        mask = Named(array=places, axes=axes, rounding=np.zeros(places.shape))
        _, _, arrays = align((mask, *self._guards), 0)
        used = arrays[0][0] != 0
        for guard, _ in arrays[1:]:
            used = used & (guard != 0)
        return np.asarray(used)

    def element(self, node: Element) -> Named:
        """Take entries at computed places; a place outside of its axis is an error."""
        value = self.value(node.operand)
        if len(node.places) > len(value.unindexed):
            raise AxisError("more places than axes without an index", node.span[0])
        places = [
            None if isinstance(place, Colon) else self._place(place, base)
            for place, base in zip(node.places, node.origins, strict=True)
        ]
        given = [place.axes for place in places if place is not None]
        axes = tuple(dict.fromkeys((*value.axes, *(name for names in given for name in names))))
        array, rounding = _spread(value, axes)
        own = [
            np.arange(size).reshape([-1 if n == at else 1 for n in range(len(axes))])
            for at, size in enumerate(array.shape[: len(axes)])
        ]
        inner: list[Any] = []
        for number, place in enumerate(places):
            if place is None:
                inner.append(slice(None))
                continue
            (where, _), size = _spread(place, axes), array.shape[len(axes) + number]
            self._check_inside(where, axes, value.unindexed[number], node)
            inner.append(np.clip(where, 0, size - 1).astype(np.intp))
        index = (*own, *inner)
        kept = tuple(
            name
            for number, name in enumerate(value.unindexed)
            if number >= len(places) or places[number] is None
        )
        return Named(array=array[index], axes=axes, unindexed=kept, rounding=rounding[index])

    def _place(self, place: Expression, base: int) -> Named:
        """The places that an expression names, counted from 0.

        Raises:
            AxisError: they are not whole numbers.
        """
        value = self.value(place)
        numbers = value.array.real
        if value.unindexed:
            raise AxisError("an index must have an index itself, or be a number", place.span[0])
        if not (numbers == np.floor(numbers)).all():
            raise AxisError("an index must be a whole number", place.span[0])
        rounding = np.zeros(numbers.shape)
        return Named(array=numbers - base, axes=value.axes, rounding=rounding)

    def _check_inside(
        self, where: Numbers, axes: tuple[str, ...], name: str, node: Element
    ) -> None:
        size = self.environment.sizes.get(name, 1)
        outside = np.asarray((where < 0) | (where >= size))
        if not outside.any():
            return
        used = self._used(outside, axes)
        if used.any():
            low = (np.asarray(where < 0) & outside).any()
            message = f"an index leaves the axis {name} at its {'start' if low else 'end'}: "
            raise AxisError(message + r"say where this holds, as in \quad t > 1", node.span[0])

    def array(self, node: Array) -> Named:
        value = self.value(node.body)
        order = [value.axes.index(index) for index in node.indices if index in value.axes]
        if len(order) < len(node.indices):
            raise AxisError("the result of the function lacks an index", node.span[0])
        rest = [n for n in range(value.array.ndim) if n not in order]
        moved = [
            *rest[: len(value.axes) - len(order)],
            *order,
            *rest[len(value.axes) - len(order) :],
        ]
        return Named(
            array=value.array.transpose(moved),
            axes=tuple(name for name in value.axes if name not in node.indices),
            unindexed=(*(self.dimensions[index] for index in node.indices), *value.unindexed),
            rounding=value.rounding.transpose(moved),
        )

    def ones(self, node: Ones) -> Named:
        size = self.environment.sizes[node.dimension]
        array = np.ones(size)
        return Named(array=array, axes=(), unindexed=(node.dimension,), rounding=np.zeros(size))

    def extent(self, node: Extent) -> Named:
        value = self.environment.values.get(node.symbol)
        if value is None:
            raise MissingValueError(f"{node.symbol} has no value", node.span[0])
        shape = value.array.shape[sum(name in LEADING for name in value.axes) :]
        return named(len(shape) if node.axis is None else shape[node.axis], ())

    def inverse(self, node: Inverse) -> Named:
        return arithmetic.inverse(self._unindexed(node.operand, 2))

    def diagonal(self, node: Diagonal) -> Named:
        return arithmetic.diagonal(self._unindexed(node.operand, 1))

    def trace(self, node: Trace) -> Named:
        return arithmetic.trace(self._unindexed(node.operand, 2))

    def norm(self, node: Norm) -> Named:
        value = self.value(node.operand)
        return arithmetic.norm(node.kind, value, tuple(range(len(value.axes), value.array.ndim)))

    def inner(self, node: Inner) -> Named:
        left, right = self.value(node.left), self.value(node.right)
        product = arithmetic.multiply(left, right, node.span[0])
        places = tuple(range(len(product.axes), product.array.ndim))
        return arithmetic.reduce("sum", product, places)

    def _unindexed(self, node: Expression, count: int) -> Named:
        value = self.value(node)
        names = value.unindexed
        if len(names) != count or len(set(names)) > 1:
            what = "a square matrix" if count > 1 else "a vector"
            raise AxisError(f"{what} without indices is needed here", node.span[0])
        return value

    def extreme(self, node: Extreme) -> Named:
        values = tuple(map(self.value, node.arguments))
        return arithmetic.extreme(node.operator, values, node.span[0])

    def interval(self, node: Interval) -> Named:
        limits = self.value(node.lower), self.value(node.upper)
        mask = self._between(node.index, limits, node.origin, node)
        return mask or named(np.ones(self._size(node.index), dtype=int), (node.index,))

    def restricted(self, node: Restricted) -> Named:
        mask = self.value(node.condition)
        with self._where(mask):
            value = self.value(node.body)
        return _choose(mask, value, named(0, ()), node.span[0])

    def position(self, node: Position) -> Named:
        return named(np.arange(self._size(node.index)) + node.origin, (node.index,))

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
        masks: list[Named] = []
        values: list[Named] = []
        earlier: list[Named] = []  # where none of the conditions before holds
        for number, value in enumerate(node.values):
            with self._where(*earlier):
                if number < len(node.conditions):
                    masks.append(self.value(node.conditions[number]))
                    with self._where(masks[-1]):
                        values.append(self.value(value))
                    earlier.append(replace(masks[-1], array=1 - masks[-1].array))
                else:
                    values.append(self.value(value))
        complete = len(node.values) > len(node.conditions)
        result = values[-1] if complete else named(np.nan, ())
        for mask, chosen in reversed(tuple(zip(masks, values, strict=False))):
            result = _choose(mask, chosen, result, node.span[0])
        return result


def _spread(value: Named, axes: tuple[str, ...]) -> tuple[Numbers, Numbers]:
    """The arrays of a value with all of these axes, of size 1 where it lacks one."""
    order = [value.axes.index(name) for name in axes if name in value.axes]
    order += range(len(value.axes), value.array.ndim)
    missing = tuple(n for n, name in enumerate(axes) if name not in value.axes)
    array, rounding = value.array.transpose(order), value.rounding.transpose(order)
    return np.expand_dims(array, missing), np.expand_dims(rounding, missing)


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
        pairs = tuple(zip(node.indices, rest, strict=True))
        names = tuple(name if index == ":" else index for index, name in pairs)
        return batch + names, (False,) * len(batch) + tuple(index == ":" for index, _ in pairs)
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
    Element: _Evaluator.element,
    Array: _Evaluator.array,
    Ones: _Evaluator.ones,
    Extent: _Evaluator.extent,
    Inverse: _Evaluator.inverse,
    Diagonal: _Evaluator.diagonal,
    Trace: _Evaluator.trace,
    Norm: _Evaluator.norm,
    Inner: _Evaluator.inner,
    Extreme: _Evaluator.extreme,
    Interval: _Evaluator.interval,
    Restricted: _Evaluator.restricted,
}
