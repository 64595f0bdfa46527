"""Runs of the subject: the values of the symbols, and derivatives between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqcheck.analytic import AnalyticArray
from eqcheck.definitions import Definitions
from eqcheck.differentiate import (
    COMPLEX_STEP,
    Perturbation,
    Value,
    along_direction,
    contracted,
    differentiate,
    perturb,
)
from eqcheck.evaluate import CHANGE, FRONT, INPUT, Environment
from eqcheck.named import EPSILON, Named, Numbers, named
from eqcheck.subject import Inputs, Run, Subject, observe_each
from eqcheck.symbols import Symbol, Symbols
from eqcheck.value_place import value_at
from eqcheck.variants import Variant, precision, variants


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Inputs of one size, and the values of the symbols after a run on each.

    Attributes:
        inputs: by name, for each run.
        environment: the values.
        share: what part of the distance to the values that are checked is rounding in those.
    """

    inputs: tuple[Inputs, ...]
    environment: Environment
    share: float = 1.0

    def input(self, name: str) -> NDArray[Any]:
        """One input, along a first axis for the runs."""
        return np.stack([np.asarray(inputs[name]) for inputs in self.inputs])


@dataclass(slots=True, kw_only=True)
class Sample:
    """The subject's values on inputs of one size. Derivatives are found when they are asked for.

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
    methods: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    _derived: dict[tuple[str, str], Named] = field(default_factory=dict)
    _runs: dict[tuple[bool, str, tuple[Perturbation, ...]], list[Run]] = field(default_factory=dict)

    @property
    def environment(self) -> Environment:
        """What `evaluate` needs, derivatives among it."""
        return replace(self.world.environment, derivative=self.derivative)

    def derivative(self, of: str, wrt: str) -> Named:
        """The partial derivative of one symbol with respect to another.

        Returns:
            An array with an axis for the inputs, the axes of `of`, then those of `wrt`.

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
        self.methods[of, wrt] = derived.methods
        error = derived.error
        if derived.methods == {COMPLEX_STEP}:
            coarse = along_direction(*self._function(self.coarse, of, wrt))
            moves = np.abs(coarse - contracted(derived.array, at)) * self.coarse.share
            spread = moves + _mean_of_each(moves)
            error = error + spread.reshape(moves.shape + (1,) * (at.ndim - 1))
        axes = tuple(str(number) for number in range(1, derived.array.ndim))
        return Named(array=derived.array, axes=(INPUT, *axes), rounding=error)

    def _function(self, world: World, of: str, wrt: str) -> tuple[Value, NDArray[Any]]:
        """One symbol as a function of another, and where to differentiate it."""
        if wrt in self.subject.inputs:
            at = world.input(self.subject.inputs[wrt])
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
            many = [
                {**inputs, name: array.view(AnalyticArray) if np.iscomplexobj(array) else array}
                for arrays in perturb(world.input(name), changes)
                for inputs, array in zip(world.inputs, arrays, strict=True)
            ]
            self._runs[key] = observe_each(self.subject, many)
        runs = self._runs[key]
        counts = (len(changes), len(world.inputs))
        if of in self.subject.places:
            return self._stacked(of, runs, counts)
        values = {}
        for symbol in self.subject.places:
            axes = (CHANGE, *world.environment.values[symbol].axes)
            values[symbol] = named(self._stacked(symbol, runs, counts), axes)
        environment = replace(world.environment, values=values)
        return self.definitions.value(of, environment, dict(zip(FRONT, counts, strict=True)))

    def _stacked(self, symbol: str, runs: list[Run], counts: tuple[int, int]) -> Numbers:
        shape = self.world.environment.values[symbol].array.shape[1:]
        place = self.subject.places[symbol]
        arrays = [np.asarray(value_at(run, place)).reshape(shape) for run in runs]
        return np.stack(arrays).reshape(*counts, *shape)

    def _by_definition(
        self, world: World, of: str, wrt: str, changes: Sequence[Perturbation]
    ) -> Numbers:
        """The values of a symbol, by its definition, when another symbol changes."""
        value = world.environment.values[wrt]
        changed = named(perturb(value.array, changes), (CHANGE, *value.axes))
        environment = replace(world.environment, values={**world.environment.values, wrt: changed})
        counts = (len(changes), len(world.inputs))
        return self.definitions.value(of, environment, dict(zip(FRONT, counts, strict=True)), wrt)


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

    Returns:
        A sample for each size that inputs have. What is alike in size is computed in one go.

    Raises:
        LookupError: a place holds no value.
        ValueError: a value does not have the axes that its symbol was declared with.
    """
    definitions = Definitions(subject.definitions, symbols)
    groups: dict[object, list[int]] = {}
    for number, inputs in enumerate(many):
        groups.setdefault(_size(inputs), []).append(number)
    samples = []
    for numbers in groups.values():
        worlds = _observe(subject, symbols, [many[number] for number in numbers], tuple(numbers))
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


def _size(inputs: Inputs) -> object:
    arrays = {name: np.asarray(value) for name, value in inputs.items()}
    return tuple((name, array.shape, array.dtype.str) for name, array in sorted(arrays.items()))


def _observe(
    subject: Subject, symbols: Symbols, many: Sequence[Inputs], numbers: tuple[int, ...]
) -> list[World]:
    """Run inputs of one size as they are, and then each kind of variant of them."""
    groups = zip(*((Variant(inputs=one, share=1.0), *variants(one)) for one in many), strict=True)
    worlds = []
    for group in groups:
        runs = observe_each(subject, [variant.inputs for variant in group])
        found = {
            symbol: [value_at(run, place) for run in runs]
            for symbol, place in subject.places.items()
        }
        sizes = dimension_sizes({symbol: values[0] for symbol, values in found.items()}, symbols)
        values = {
            symbol.latex: _shaped(found[symbol.latex], symbol, sizes)
            for symbol in symbols.declared
            if symbol.latex in found
        }
        environment = Environment(values=values, sizes=sizes, numbers=numbers)
        inputs = tuple(variant.inputs for variant in group)
        worlds.append(World(inputs=inputs, environment=environment, share=group[0].share))
    return worlds


def _bounded(world: World, others: Sequence[World]) -> World:
    """Add to each value's rounding how far other runs moved it."""
    unit = precision(world.inputs[0])
    values = {}
    for name, value in world.environment.values.items():
        with np.errstate(all="ignore"):
            moves = [
                np.abs(other.environment.values[name].array - value.array) * other.share
                for other in others
            ]
        worst = np.nan_to_num(np.maximum.reduce(moves), nan=0.0, posinf=0.0)
        rounding = value.rounding * (unit / EPSILON) + worst + _mean_of_each(worst)
        values[name] = replace(value, rounding=rounding)
    return replace(world, environment=replace(world.environment, values=values))


def _mean_of_each(array: Numbers) -> Numbers:
    """The mean along all axes but the first, which stay."""
    axes = tuple(range(1, array.ndim))
    return np.asarray(array.mean(axis=axes, keepdims=True) if array.size else array)


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


def _shaped(observed: Sequence[object], symbol: Symbol, sizes: Mapping[str, int]) -> Named:
    """Stack values and name their axes; those of size 1 that `keepdims` left are dropped."""
    wanted = tuple(sizes.get(name, -1) for name in symbol.axes)
    arrays = []
    for value in observed:
        array = np.asarray(value)
        if array.shape != wanted:
            kept = [size for size in array.shape if size != 1]
            if array.ndim <= len(wanted) or kept != [size for size in wanted if size != 1]:
                axes = ", ".join(symbol.axes)
                message = f"{symbol.latex} has shape {array.shape}, and was declared with ({axes})"
                raise ValueError(message)
        arrays.append(array.reshape(wanted))
    return named(np.stack(arrays), (INPUT, *symbol.axes))
