"""Run the subject on inputs: the values of the symbols, and derivatives between them.

The subject runs input by input, but equations are evaluated for many inputs together: the values
from runs on inputs of the same shapes are stacked along an axis `INPUT`, before all others. Such a
stack is a `Sample`; every equation of a page is checked on the same few samples.

An equation can only be exact up to the rounding in the values it is compared with, and only the
code knows what it added and cancelled. So every input is also run in variants (see `variants`), and
how far each value moves bounds its rounding.

Derivatives by an input run the code again with that input perturbed. Derivatives by another symbol
evaluate the equations that define the dependent one, with that symbol perturbed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqcheck.definitions import DefiningEquations
from eqcheck.differentiate import (
    COMPLEX_STEP,
    AnalyticArray,
    Perturbation,
    Value,
    along_direction,
    contracted,
    differentiate,
    perturb,
)
from eqcheck.evaluate import CHANGE, INPUT, LEADING, Environment, Occasion
from eqcheck.inputs import Inputs, InputSet
from eqcheck.named import EPSILON, Named, Numbers, named
from eqcheck.subject import Run, Subject, observe_each
from eqcheck.symbols import Symbol, Symbols
from eqcheck.value_place import value_at
from eqcheck.variants import Variant, precision, variants


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Runs on inputs of the same shapes, and the values of the symbols in them.

    Attributes:
        inputs: by name, for each run.
        environment: the values, stacked along the axis `INPUT`.
        scale: see `Variant`; 1 if these are not variants.
    """

    inputs: tuple[Inputs, ...]
    environment: Environment
    scale: float = 1.0

    def input(self, name: str) -> NDArray[Any]:
        """One input of all runs, stacked."""
        return np.stack([np.asarray(inputs[name]) for inputs in self.inputs])


@dataclass(slots=True, kw_only=True)
class Sample:
    """The values of the symbols on inputs of the same shapes. Derivatives are computed on demand.

    Attributes:
        subject: the code.
        symbols: those of the page.
        definitions: the equations that derivatives may be taken through.
        runs: the inputs and the values.
        coarse: the same in the other precision, see `variants`.
        methods: for each pair of symbols whose derivative was requested, how it was computed.
    """

    subject: Subject
    symbols: Symbols
    definitions: DefiningEquations
    runs: Runs
    coarse: Runs
    methods: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    _derived: dict[tuple[str, str], Named] = field(default_factory=dict)
    _perturbed: dict[tuple[bool, str, tuple[Perturbation, ...]], list[Run]] = field(
        default_factory=dict
    )

    @property
    def environment(self) -> Environment:
        """The values and derivatives, for `evaluate`."""
        return replace(self.runs.environment, derivative=self.derivative)

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
        values = self.runs.environment.values
        if wrt in self.subject.inputs:
            if of not in values and of not in self.definitions:
                raise LookupError(f"neither the code nor a definition says what {of} is")
        elif wrt not in values:
            raise LookupError(f"{wrt} has no value")
        elif not self.definitions.depends(of, wrt):
            raise LookupError(f"no equation on the page says how {of} depends on {wrt}")
        value, at = self._function(self.runs, of, wrt)
        derived = differentiate(value, at, trusted=wrt not in self.subject.inputs)
        self.methods[of, wrt] = derived.methods
        error = derived.error
        if derived.methods == {COMPLEX_STEP}:
            coarse = along_direction(*self._function(self.coarse, of, wrt))
            moves = np.abs(coarse - contracted(derived.array, at)) * self.coarse.scale
            spread = moves + _mean_of_each(moves)
            error = error + spread.reshape(moves.shape + (1,) * (at.ndim - 1))
        axes = tuple(str(number) for number in range(1, derived.array.ndim))
        return Named(array=derived.array, axes=(INPUT, *axes), rounding=error)

    def _function(self, observed: Runs, of: str, wrt: str) -> tuple[Value, NDArray[Any]]:
        """One symbol as a function of another, and where to differentiate it."""
        if wrt in self.subject.inputs:
            at = observed.input(self.subject.inputs[wrt])
            return lambda changes: self._after_runs(observed, of, wrt, tuple(changes)), at
        at = observed.environment.values[wrt].array
        return lambda changes: self._by_definition(observed, of, wrt, changes), at

    def _after_runs(
        self, observed: Runs, of: str, wrt: str, changes: tuple[Perturbation, ...]
    ) -> Numbers:
        """The values of a symbol when an input of the code changes."""
        key = (observed is self.coarse, wrt, changes)
        if key not in self._perturbed:
            name = self.subject.inputs[wrt]
            many = [
                {**inputs, name: array.view(AnalyticArray) if np.iscomplexobj(array) else array}
                for arrays in perturb(observed.input(name), changes)
                for inputs, array in zip(observed.inputs, arrays, strict=True)
            ]
            self._perturbed[key] = observe_each(self.subject, many)
        runs = self._perturbed[key]
        counts = (len(changes), len(observed.inputs))
        if of in self.subject.places:
            return self._stacked(of, runs, counts)
        values = {}
        for symbol in self.subject.places:
            axes = (CHANGE, *observed.environment.values[symbol].axes)
            values[symbol] = named(self._stacked(symbol, runs, counts), axes)
        environment = replace(observed.environment, values=values)
        return self.definitions.value(of, environment, dict(zip(LEADING, counts, strict=True)))

    def _stacked(self, symbol: str, runs: list[Run], counts: tuple[int, int]) -> Numbers:
        shape = self.runs.environment.values[symbol].array.shape[1:]
        place = self.subject.places[symbol]
        arrays = [np.asarray(value_at(run, place)).reshape(shape) for run in runs]
        return np.stack(arrays).reshape(*counts, *shape)

    def _by_definition(
        self, observed: Runs, of: str, wrt: str, changes: Sequence[Perturbation]
    ) -> Numbers:
        """The values of a symbol, by its definition, when another symbol changes."""
        value = observed.environment.values[wrt]
        changed = named(perturb(value.array, changes), (CHANGE, *value.axes))
        environment = replace(
            observed.environment, values={**observed.environment.values, wrt: changed}
        )
        counts = (len(changes), len(observed.inputs))
        leading = dict(zip(LEADING, counts, strict=True))
        return self.definitions.value(of, environment, leading, wrt)


def observe_samples(
    subject: Subject, symbols: Symbols, many: Sequence[InputSet | Inputs]
) -> tuple[Sample, ...]:
    """Run the subject on each of many inputs, once, for any number of equations.

    Args:
        subject: the code.
        symbols: what the page declares; the sizes of the dimensions are read off the values.
        many: sets of inputs; plain ones, by name, are ordinary and called by their number.

    Returns:
        A sample for each combination of shapes among the inputs.

    Raises:
        LookupError: a place holds no value.
        ValueError: a value does not have the axes that its symbol was declared with.
    """
    definitions = DefiningEquations(subject.definitions, symbols)
    groups: dict[object, list[InputSet]] = {}
    for number, inputs in enumerate(many, start=1):
        one = (
            inputs
            if isinstance(inputs, InputSet)
            else InputSet(name=f"input {number}", values=inputs)
        )
        groups.setdefault(_size(one.values), []).append(one)
    samples = []
    for sets in groups.values():
        runs, *variations = _observe(subject, symbols, sets)
        samples.append(
            Sample(
                subject=subject,
                symbols=symbols,
                definitions=definitions,
                runs=_bounded(runs, variations),
                coarse=variations[0],
            )
        )
    return tuple(samples)


def _size(inputs: Inputs) -> object:
    arrays = {name: np.asarray(value) for name, value in inputs.items()}
    return tuple((name, array.shape, array.dtype.str) for name, array in sorted(arrays.items()))


def _observe(subject: Subject, symbols: Symbols, sets: Sequence[InputSet]) -> list[Runs]:
    """Run inputs of the same shapes as they are, and then each kind of variant of them."""
    many = [one.values for one in sets]
    variations = zip(
        *((Variant(inputs=one, scale=1.0), *variants(one)) for one in many), strict=True
    )
    occasions = tuple(Occasion(input=one.name, hard=one.hard) for one in sets)
    observed = []
    for group in variations:
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
        environment = Environment(values=values, sizes=sizes, occasions=occasions)
        inputs = tuple(variant.inputs for variant in group)
        observed.append(Runs(inputs=inputs, environment=environment, scale=group[0].scale))
    return observed


def _bounded(observed: Runs, others: Sequence[Runs]) -> Runs:
    """Add to the rounding of each value how far it moved in the variants."""
    unit = precision(observed.inputs[0])
    values = {}
    for name, value in observed.environment.values.items():
        with np.errstate(all="ignore"):
            moves = [
                np.abs(other.environment.values[name].array - value.array) * other.scale
                for other in others
            ]
        worst = np.nan_to_num(np.maximum.reduce(moves), nan=0.0, posinf=0.0)
        rounding = value.rounding * (unit / EPSILON) + worst + _mean_of_each(worst)
        values[name] = replace(value, rounding=rounding)
    return replace(observed, environment=replace(observed.environment, values=values))


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
