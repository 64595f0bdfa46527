"""Equations as definitions: how one symbol depends on others.

The code says what a symbol's value is. Only an equation says how it would change if another symbol
did, where that is not an input of the code; and some symbols, such as a loss L that stands for any
loss, are computed by no code at all.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from eqcheck.axes import Dimensions, check_sides
from eqcheck.errors import AxisError, EquationError
from eqcheck.evaluate import Environment, evaluate
from eqcheck.named import Named, Numbers, named
from eqcheck.parse import parse
from eqcheck.symbols import Symbols
from eqcheck.tree import Chain, Derivative, Expression, Reference, children

_ALIKE = 1e-6  # much more than rounding, much less than a mistake


@dataclass(frozen=True, slots=True, kw_only=True)
class _Definition:
    """One way to compute a symbol."""

    left: Reference
    right: Expression
    dimensions: Dimensions
    names: frozenset[str]


class DefiningEquations:
    r"""For each symbol, all equations with that symbol alone on their left side.

    They may differ in form: `Y = \gamma \hat{X} + \beta` and `Y = \gamma s (X - \mu) + \beta` are
    both right, and each says how Y depends on other symbols. Where several say how it depends on
    the same one, they must agree.

    Equations with a derivative on the right define nothing, and neither do displays that cannot be
    parsed: checking those reports why.
    """

    def __init__(self, displays: Sequence[str], symbols: Symbols) -> None:
        self._found: dict[str, list[_Definition]] = {}
        for display in displays:
            with suppress(EquationError):
                for chain in parse(display, symbols):
                    self._define(chain)

    def _define(self, chain: Chain) -> None:
        left = chain.terms[0]
        if not isinstance(left, Reference) or len(set(left.indices)) < len(left.indices):
            return
        if ":" in left.indices:
            return
        dimensions = check_sides(chain)
        for relation, right in zip(chain.relations, chain.terms[1:], strict=True):
            if relation != "=":
                return
            if not any(isinstance(node, Derivative) for node in _nodes(right)):
                definition = _Definition(
                    left=left, right=right, dimensions=dimensions, names=_symbols(right)
                )
                self._found.setdefault(left.symbol, []).append(definition)

    def __len__(self) -> int:
        return len(self._found)

    def __contains__(self, symbol: object) -> bool:
        return symbol in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def closure(self, names: Iterable[str]) -> frozenset[str]:
        """Some symbols, and all that stand in the equations that define them."""
        found: set[str] = set()
        waiting = [*names]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                for definition in self._found.get(name, ()):
                    waiting.extend(definition.names)
        return frozenset(found)

    def depends(self, symbol: str, other: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a definition of a symbol contains another symbol, directly or through others."""
        return symbol == other or bool(self._depending(symbol, other, seen))

    def _depending(
        self, symbol: str, other: str, seen: frozenset[str] = frozenset()
    ) -> list[_Definition]:
        """The definitions of a symbol through which it depends on another one.

        Two symbols may define one another. A definition with a symbol that is itself being
        computed is left out, so that the recursion ends.
        """
        inside = seen | {symbol}
        return [
            definition
            for definition in self._found.get(symbol, ())
            if not definition.names & inside
            and any(self.depends(name, other, inside) for name in definition.names)
        ]

    def value(
        self,
        symbol: str,
        environment: Environment,
        leading: Mapping[str, int],
        changed: str | None = None,
        seen: frozenset[str] = frozenset(),
    ) -> Numbers:
        """A symbol's value by its definitions.

        Args:
            symbol: one that has a definition.
            environment: the values of the others.
            leading: the first axes of the result, and their sizes.
            changed: a symbol whose value is not the observed one; the symbols that depend on it
                are computed by their definitions too.
            seen: the symbols that are being computed.

        Returns:
            An array with the leading axes, then those that the symbol was declared with.

        Raises:
            LookupError: two definitions differ.
        """
        if symbol == changed:
            return environment.values[symbol].array
        used = self._depending(symbol, changed, seen) if changed else self._found[symbol]
        found = [
            self._by(definition, environment, leading, changed, seen | {symbol})
            for definition in used
        ]
        if not all(_agree(found[0], other) for other in found[1:]):
            raise LookupError(f"two equations define {symbol}, and they differ")
        return found[0]

    def _by(
        self,
        definition: _Definition,
        environment: Environment,
        leading: Mapping[str, int],
        changed: str | None,
        seen: frozenset[str],
    ) -> Numbers:
        values = dict(environment.values)
        for name in definition.names:
            if changed and name != changed and self.depends(name, changed, seen):
                array = self.value(name, environment, leading, changed, seen)
                values[name] = named(array, (*leading, *self._found[name][0].left.axes))
        changed_values = replace(environment, values=values)
        result = evaluate(definition.right, changed_values, definition.dimensions)
        return _as_declared(result, definition.left, environment.sizes, leading)


def _agree(one: Numbers, other: Numbers) -> bool:
    """Whether two values, and the derivatives in their imaginary parts, agree."""
    with np.errstate(all="ignore"):
        return all(
            bool(
                np.nanmax(np.abs(a - b), initial=0.0) <= _ALIKE * np.nanmax(np.abs(a), initial=0.0)
            )
            for a, b in ((one.real, other.real), (one.imag, other.imag))
        )


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


def _symbols(node: Expression) -> frozenset[str]:
    return frozenset(item.symbol for item in _nodes(node) if isinstance(item, Reference))
