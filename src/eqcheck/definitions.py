"""Equations as definitions: how one symbol depends on others.

The code says what a symbol's value is. Only an equation says how it would change if another symbol
did, where that is not an input of the code; and some symbols, such as a loss L that stands for any
loss, are computed by no code at all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from eqcheck.axes import Dimensions, check_sides
from eqcheck.errors import AxisError, EquationError
from eqcheck.evaluate import Environment, evaluate
from eqcheck.named import Named, Numbers, named
from eqcheck.parse import parse
from eqcheck.symbols import Symbols
from eqcheck.tree import Chain, Derivative, Expression, Reference, children


class DefiningEquations:
    """For each symbol, the first equation with that symbol alone on its left side.

    Equations with a derivative on the right define nothing, and neither do displays that cannot be
    parsed: checking those reports why.
    """

    def __init__(self, displays: Sequence[str], symbols: Symbols) -> None:
        self._found: dict[str, tuple[Reference, Expression, Dimensions]] = {}
        for display in displays:
            with suppress(EquationError):
                for chain in parse(display, symbols):
                    self._define(chain)

    def _define(self, chain: Chain) -> None:
        left, right = chain.terms[0], chain.terms[1]
        if not isinstance(left, Reference) or chain.relations[0] != "=":
            return
        simple = len(set(left.indices)) == len(left.indices)
        if simple and not any(isinstance(node, Derivative) for node in _nodes(right)):
            self._found.setdefault(left.symbol, (left, right, check_sides(chain)))

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, symbol: object) -> bool:
        return symbol in self._found

    def closure(self, names: Iterable[str]) -> frozenset[str]:
        """Some symbols, and all that stand in the equations that define them."""
        found: set[str] = set()
        waiting = [*names]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                if name in self._found:
                    waiting.extend(_symbols(self._found[name][1]))
        return frozenset(found)

    def depends(self, symbol: str, other: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a symbol's definition contains another symbol, directly or through others."""
        if symbol == other:
            return True
        if symbol not in self._found or symbol in seen:
            return False
        return any(
            self.depends(name, other, seen | {symbol}) for name in _symbols(self._found[symbol][1])
        )

    def value(
        self,
        symbol: str,
        environment: Environment,
        leading: Mapping[str, int],
        changed: str | None = None,
    ) -> Numbers:
        """A symbol's value by its definition.

        Args:
            symbol: one that has a definition.
            environment: the values of the others.
            leading: the first axes of the result, and their sizes.
            changed: a symbol whose value is not the observed one; the symbols that depend on it
                are computed by their definitions too.

        Returns:
            An array with the leading axes, then those that the symbol was declared with.
        """
        if symbol == changed:
            return environment.values[symbol].array
        left, right, dimensions = self._found[symbol]
        values = dict(environment.values)
        for name in _symbols(right):
            if changed and name != changed and self.depends(name, changed, frozenset({symbol})):
                array = self.value(name, environment, leading, changed)
                values[name] = named(array, (*leading, *self._found[name][0].axes))
        result = evaluate(right, replace(environment, values=values), dimensions)
        return _as_declared(result, left, environment.sizes, leading)


def _as_declared(
    value: Named, left: Reference, sizes: Mapping[str, int], leading: Mapping[str, int]
) -> Numbers:
    """The value's array with the axes of the left side, repeated along those it lacks."""
    names = (*leading, *left.axes[: left.implicit], *left.indices)
    count = 0 if left.indices else len(left.axes) - left.implicit
    shape = [*leading.values(), *(sizes[name] for name in left.axes)]
    if len(value.unindexed) > count:
        raise AxisError("the right side has more axes than the left", left.span[0])
    order = [value.axes.index(name) for name in names if name in value.axes]
    array = value.array.transpose([*order, *range(len(value.axes), value.array.ndim)])
    missing = [n for n, name in enumerate(names) if name not in value.axes]
    array = np.expand_dims(array, tuple(missing))
    for _ in range(count - len(value.unindexed)):
        array = np.expand_dims(array, len(names))
    return np.broadcast_to(array, shape)


def _nodes(node: Expression) -> Iterator[Expression]:
    yield node
    for child in children(node):
        yield from _nodes(child)


def _symbols(node: Expression) -> set[str]:
    return {item.symbol for item in _nodes(node) if isinstance(item, Reference)}
