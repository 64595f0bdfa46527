"""One run of the subject: the values of the symbols, and derivatives between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqcheck.definitions import Definitions
from eqcheck.differentiate import (
    COMPLEX_STEP,
    Perturbation,
    Value,
    along_direction,
    contracted,
    differentiate,
)
from eqcheck.evaluate import Environment
from eqcheck.named import EPSILON, Named, Numbers, named
from eqcheck.subject import Inputs, Run, Subject, observe_each, value_at
from eqcheck.symbols import Symbols
from eqcheck.variants import Variant, precision, variants


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """One set of inputs, and the values of the symbols after a run on it.

    Attributes:
        inputs: by name.
        environment: the values.
        share: what part of the distance to the values that are checked is rounding in those.
    """

    inputs: Inputs
    environment: Environment
    share: float = 1.0


@dataclass(slots=True, kw_only=True)
class Sample:
    """The subject's values on one set of inputs. Derivatives are found when they are asked for.

    Attributes:
        subject: what ran.
        symbols: the page's.
        world: the inputs and the values.
        coarse: the same with fewer digits.
        methods: for each pair of symbols whose derivative was asked for, how it was found.
    """

    subject: Subject
    symbols: Symbols
    definitions: Definitions
    world: World
    coarse: World
    methods: dict[tuple[str, str], str] = field(default_factory=dict)
    _derived: dict[tuple[str, str], Named] = field(default_factory=dict)
    _runs: dict[tuple[bool, str, tuple[Perturbation, ...]], list[Run]] = field(default_factory=dict)

    @property
    def environment(self) -> Environment:
        """What `evaluate` needs, derivatives among it."""
        return replace(self.world.environment, derivative=self.derivative)

    def derivative(self, of: str, wrt: str) -> Named:
        """The partial derivative of one symbol with respect to another.

        Returns:
            An array with the axes of `of`, then those of `wrt`.

        Raises:
            LookupError: neither the code nor a definition says how `of` depends on `wrt`.
        """
        if (of, wrt) not in self._derived:
            self._derived[of, wrt] = self._differentiate(of, wrt)
        return self._derived[of, wrt]

    def _differentiate(self, of: str, wrt: str) -> Named:
        values = self.world.environment.values
        if wrt in self.subject.inputs:
            if of not in values and of not in self.definitions:
                raise LookupError(f"neither the code nor a definition says what {of} is")
        elif wrt not in values:
            raise LookupError(f"{wrt} has no value")
        elif not self.definitions.depends(of, wrt):
            raise LookupError(f"no equation on the page says how {of} depends on {wrt}")
        value, at = self._function(self.world, of, wrt)
        derived = differentiate(value, at, trusted=wrt not in self.subject.inputs)
        self.methods[of, wrt] = derived.method
        error = derived.error
        if derived.method == COMPLEX_STEP:
            coarse = along_direction(self._function(self.coarse, of, wrt)[0])
            moves = np.abs(coarse - contracted(derived.array, at)) * self.coarse.share
            spread = moves + moves.mean()
            error = error + spread.reshape(moves.shape + (1,) * at.ndim)
        axes = tuple(str(number) for number in range(derived.array.ndim))
        return Named(array=derived.array, axes=axes, rounding=error)

    def _function(self, world: World, of: str, wrt: str) -> tuple[Value, NDArray[Any]]:
        """One symbol as a function of another, and where to differentiate it."""
        if wrt in self.subject.inputs:
            at = np.asarray(world.inputs[self.subject.inputs[wrt]])
            return lambda changes: self._after_runs(world, of, wrt, tuple(changes)), at
        at = world.environment.values[wrt].array
        return lambda changes: self._by_definition(world, of, wrt, changes), at

    def _after_runs(
        self, world: World, of: str, wrt: str, changes: tuple[Perturbation, ...]
    ) -> Numbers:
        """The values of a symbol when an input of the code changes."""
        key = (world is self.coarse, wrt, changes)
        if key not in self._runs:
            name = self.subject.inputs[wrt]
            at = np.asarray(world.inputs[name])
            many = [{**world.inputs, name: change.apply(at)} for change in changes]
            self._runs[key] = observe_each(self.subject, many)
        runs = self._runs[key]
        if of in self.subject.places:
            return self._stacked(of, runs)
        values = {}
        for symbol in self.subject.places:
            axes = ("change", *world.environment.values[symbol].axes)
            values[symbol] = named(self._stacked(symbol, runs), axes)
        return self.definitions.value(of, replace(world.environment, values=values))

    def _stacked(self, symbol: str, runs: list[Run]) -> Numbers:
        shape = self.world.environment.values[symbol].array.shape
        place = self.subject.places[symbol]
        return np.stack([np.asarray(value_at(run, place)).reshape(shape) for run in runs])

    def _by_definition(
        self, world: World, of: str, wrt: str, changes: Sequence[Perturbation]
    ) -> Numbers:
        """The values of a symbol, by its definition, when another symbol changes."""
        value = world.environment.values[wrt]
        stack = np.stack([change.apply(value.array) for change in changes])
        changed = named(stack, ("change", *value.axes))
        environment = replace(world.environment, values={**world.environment.values, wrt: changed})
        return self.definitions.value(of, environment, wrt)


def observe_samples(
    subject: Subject, symbols: Symbols, many: Sequence[Inputs]
) -> tuple[Sample, ...]:
    """Run the subject on each of many inputs, once, for any number of equations.

    Each run is repeated with fewer digits and with the inputs moved by a hair. How far a value
    moves says how much rounding there can be in it: much, if it comes from a small difference of
    large numbers.

    Args:
        subject: the code.
        symbols: what the page declares; the sizes of the dimensions are read off the values.
        many: the inputs, each by name.

    Raises:
        LookupError: a place holds no value.
        ValueError: a value does not have the axes that its symbol was declared with.
    """
    definitions = Definitions(subject.definitions, symbols)
    runs = [(Variant(inputs=inputs, share=1.0), *variants(inputs)) for inputs in many]
    observed = iter(observe_each(subject, [run.inputs for group in runs for run in group]))
    samples = []
    for group in runs:
        found = [
            {symbol: value_at(run, place) for symbol, place in subject.places.items()}
            for run in islice(observed, len(group))
        ]
        sizes = dimension_sizes(found[0], symbols)
        worlds = [
            World(
                inputs=run.inputs,
                environment=Environment(values=_shaped(values, symbols, sizes), sizes=sizes),
                share=run.share,
            )
            for run, values in zip(group, found, strict=True)
        ]
        samples.append(
            Sample(
                subject=subject,
                symbols=symbols,
                definitions=definitions,
                world=_bounded(worlds[0], worlds[1:]),
                coarse=worlds[1],
            )
        )
    return tuple(samples)


def _bounded(world: World, others: Sequence[World]) -> World:
    """Add to each value's rounding how far other runs moved it."""
    unit = precision(world.inputs)
    values = {}
    for name, value in world.environment.values.items():
        with np.errstate(all="ignore"):
            moves = [
                np.abs(other.environment.values[name].array - value.array) * other.share
                for other in others
            ]
        worst = np.nan_to_num(np.maximum.reduce(moves), nan=0.0, posinf=0.0)
        spread = worst.mean() if worst.size else 0.0
        rounding = value.rounding * (unit / EPSILON) + worst + spread
        values[name] = replace(value, rounding=rounding)
    return replace(world, environment=replace(world.environment, values=values))


def dimension_sizes(observed: Mapping[str, object], symbols: Symbols) -> dict[str, int]:
    """The size of each dimension, from the values that have exactly their declared axes.

    Raises:
        ValueError: two values disagree.
    """
    sizes: dict[str, int] = {}
    origin: dict[str, str] = {}
    for symbol in symbols.declared:
        if symbol.latex not in observed:
            continue
        shape = np.asarray(observed[symbol.latex]).shape
        if len(shape) != len(symbol.axes):
            continue
        for name, size in zip(symbol.axes, shape, strict=True):
            if sizes.setdefault(name, size) != size:
                message = f"{name} is {sizes[name]} in {origin[name]} and {size} in {symbol.latex}"
                raise ValueError(message)
            origin.setdefault(name, symbol.latex)
    return sizes


def _shaped(
    observed: Mapping[str, object], symbols: Symbols, sizes: Mapping[str, int]
) -> dict[str, Named]:
    """Name the axes of values; those of size 1 that `keepdims` left are dropped."""
    values = {}
    for symbol in symbols.declared:
        if symbol.latex not in observed:
            continue
        array = np.asarray(observed[symbol.latex])
        wanted = tuple(sizes.get(name, -1) for name in symbol.axes)
        if array.shape != wanted:
            kept = [size for size in array.shape if size != 1]
            if array.ndim <= len(wanted) or kept != [size for size in wanted if size != 1]:
                axes = ", ".join(symbol.axes)
                message = f"{symbol.latex} has shape {array.shape}, and was declared with ({axes})"
                raise ValueError(message)
            array = array.reshape(wanted)
        values[symbol.latex] = named(array, symbol.axes)
    return values
