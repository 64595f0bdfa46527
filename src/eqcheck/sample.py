"""Run the subject on inputs: the values of the symbols, and derivatives between them.

The subject runs input by input, but equations are evaluated for many inputs together: the values
from runs on inputs of the same shapes are stacked along an axis `INPUT`, before all others. These
runs are a `Sample`; every equation of a page is checked on the same few samples.

A symbol may have several values in one run: one for each call of its function, and for each
iteration of a loop. An equation must hold for all of them, so each is an entry of the axis of its
own. Which values of different symbols belong together follows from the calls and iterations they
are part of: they are joined, as tables of a database are, on the calls and loops that they share.
So a `View` is made for the symbols of an equation; for symbols with one value per run it is the
same one for all equations.

An equation can only be exact up to the rounding in the values it is compared with, and only the
code knows what it added and cancelled. So every input is also run in variants (see `variants`), and
how far each value moves bounds its rounding.

Derivatives by an input run the code again with that input perturbed. Derivatives by another symbol
evaluate the equations that define the dependent one, with that symbol perturbed.
"""

from collections.abc import Iterable, Mapping, Sequence
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
from eqcheck.observe import Context
from eqcheck.subject import Run, Subject, observe_each
from eqcheck.symbols import Symbol, Symbols
from eqcheck.value_place import Recorded, values_at
from eqcheck.variants import Variant, precision, variants

Values = Mapping[str, Sequence[Recorded[object]]]  # all values of each symbol in one run


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Runs on inputs of the same shapes.

    Attributes:
        inputs: by name, for each run.
        values: the values of the symbols in each run, of those that have any in all of them.
        scale: see `Variant`; 1 if these are not variants.
        unknown: why the other symbols have none.
    """

    inputs: tuple[Inputs, ...]
    values: tuple[Values, ...]
    scale: float = 1.0
    unknown: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One entry along the axis `INPUT`: a run, and which value of each symbol in it counts."""

    run: int
    chosen: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Runs on inputs of the same shapes, and the views on them.

    Attributes:
        subject: the code.
        symbols: those of the page.
        definitions: the equations that derivatives may be taken through.
        inputs: the inputs.
        runs: the runs on them.
        variants: the runs on each kind of variant.
    """

    subject: Subject
    symbols: Symbols
    definitions: DefiningEquations
    inputs: tuple[InputSet, ...]
    runs: Runs
    variants: tuple[Runs, ...]
    _views: dict[frozenset[str], "tuple[View, ...]"] = field(default_factory=dict)

    def views(self, names: Iterable[str], dependent: Iterable[str] = ()) -> "tuple[View, ...]":
        """The values of some symbols that belong together, in a view for each of their shapes.

        Args:
            names: the symbols.
            dependent: those in derivatives, which need what stands in their definitions, too.

        Raises:
            LookupError: it is not clear which of their values belong together.
        """
        needed = self.definitions.closure(dependent) | frozenset(names)
        observed = needed & frozenset(self.runs.values[0])
        several = frozenset(
            name for name in observed if any(len(run[name]) > 1 for run in self.runs.values)
        )
        key = observed if several else frozenset()
        if key not in self._views:
            self._views[key] = self._made(key)
        return self._views[key]

    def _made(self, names: frozenset[str]) -> "tuple[View, ...]":
        single = [
            name
            for name in self.runs.values[0]
            if all(len(run[name]) == 1 for run in self.runs.values)
        ]
        groups: dict[object, list[Row]] = {}
        joined: dict[object, list[dict[str, int]]] = {}
        for number, values in enumerate(self.runs.values):
            contexts = {name: tuple(item.context for item in values[name]) for name in names}
            plan = tuple(sorted(contexts.items()))
            if plan not in joined:
                joined[plan] = _join(contexts)
            for chosen in joined[plan]:
                row = Row(run=number, chosen={**dict.fromkeys(single, 0), **chosen})
                shapes = tuple(
                    np.asarray(values[name][place].value).shape
                    for name, place in row.chosen.items()
                )
                groups.setdefault(shapes, []).append(row)
        return tuple(self._view(tuple(rows)) for rows in groups.values())

    def _view(self, rows: tuple[Row, ...]) -> "View":
        counts: dict[int, int] = {}
        occasions = []
        several = sum(row.run == rows[0].run for row in rows) > 1
        for row in rows:
            counts[row.run] = counts.get(row.run, 0) + 1
            one = self.inputs[row.run]
            call = f"occurrence {counts[row.run]}" if several else ""
            occasions.append(Occasion(input=one.name, hard=one.hard, call=call))
        view = View(sample=self, rows=rows, environment=Environment(values={}, sizes={}))
        values = {name: view.stacked(name, self.runs) for name in rows[0].chosen}
        declared = {
            symbol.latex: symbol for symbol in self.symbols.declared if symbol.latex in values
        }
        sizes, unknown = dimension_sizes({name: values[name][0] for name in declared}, self.symbols)
        unit = precision(self.runs.inputs[0])
        bounded = {}
        for name, symbol in declared.items():
            try:
                bounded[name] = _bounded(
                    _shaped(values[name], symbol, sizes),
                    [
                        (_shaped(view.stacked(name, runs), symbol, sizes), runs.scale)
                        for runs in self.variants
                    ],
                    unit,
                )
            except ValueError as error:
                unknown.setdefault(name, str(error))
        environment = Environment(
            values=bounded,
            sizes=sizes,
            occasions=tuple(occasions),
            unknown={**self.runs.unknown, **unknown},
        )
        return replace(view, environment=environment)


def _join(contexts: Mapping[str, tuple[Context, ...]]) -> list[dict[str, int]]:
    """Which values belong together: they agree on all calls and loops that they share.

    Raises:
        LookupError: none do, or the same value would go with several others at random.
    """
    rows: list[tuple[dict[str, int], dict[str, int]]] = [({}, {})]
    for name in sorted(contexts, key=lambda name: (len(contexts[name]), name)):
        items = [dict(context) for context in contexts[name]]
        rows = [
            ({**chosen, name: number}, {**context, **item})
            for chosen, context in rows
            for number, item in enumerate(items)
            if all(context.get(key, value) == value for key, value in item.items())
        ]
    largest = max(map(len, contexts.values()), default=1)
    if not rows:
        found = ", ".join(sorted(contexts))
        raise LookupError(f"{found} are never computed together in one call or iteration")
    if len(rows) > largest:
        several = sorted(name for name, items in contexts.items() if len(items) > 1)
        counts = " and ".join(f"{name} has {len(contexts[name])}" for name in several)
        message = f"of the values in one run {counts}: say which calls or iterations are meant"
        raise LookupError(message)
    return [chosen for chosen, _ in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Values of symbols that belong together. Derivatives are computed on demand.

    Attributes:
        sample: the runs that the values are from.
        rows: what each entry along the axis `INPUT` is.
        environment: the values.
        methods: for each pair of symbols whose derivative was requested, how it was computed.
    """

    sample: Sample
    rows: tuple[Row, ...]
    environment: Environment
    methods: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    _derived: dict[tuple[str, str], Named] = field(default_factory=dict)
    _perturbed: dict[tuple[int, str, tuple[Perturbation, ...]], list[Run]] = field(
        default_factory=dict
    )

    @property
    def with_derivatives(self) -> Environment:
        """The values and derivatives, for `evaluate`."""
        return replace(self.environment, derivative=self.derivative)

    def stacked(self, name: str, runs: Runs) -> list[object]:
        """A symbol's values in runs on other inputs, row by row.

        Where a variant took another branch, and so has other values, the original ones.
        """
        originals = self.sample.runs.values
        found = []
        for row in self.rows:
            items, original = runs.values[row.run][name], originals[row.run][name]
            alike = len(items) == len(original)
            found.append((items if alike else original)[row.chosen[name]].value)
        return found

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

    def kinks(self, of: str, wrt: str) -> list[Occasion]:
        """Where a derivative that was requested does not exist."""
        array = self._derived[of, wrt].array
        missing = np.isnan(array).reshape(len(array), -1).any(axis=1)
        return [self.environment.occasions[row] for row in np.flatnonzero(missing)]

    def _differentiate(self, of: str, wrt: str) -> Named:
        values, subject = self.environment.values, self.sample.subject
        definitions = self.sample.definitions
        if wrt in subject.inputs:
            if of not in values and of not in definitions:
                raise LookupError(f"neither the code nor a definition says what {of} is")
        elif wrt not in values:
            raise LookupError(f"{wrt} has no value")
        elif not definitions.depends(of, wrt):
            raise LookupError(f"no equation on the page says how {of} depends on {wrt}")
        value, at = self._function(self.sample.runs, of, wrt)
        derived = differentiate(value, at, trusted=wrt not in subject.inputs)
        self.methods[of, wrt] = derived.methods
        error = derived.error
        if derived.methods == {COMPLEX_STEP}:
            coarse = self.sample.variants[0]
            found = along_direction(*self._function(coarse, of, wrt))
            moves = np.abs(found - contracted(derived.array, at)) * coarse.scale
            spread = moves + _mean_of_each(moves)
            error = error + spread.reshape(moves.shape + (1,) * (at.ndim - 1))
        axes = tuple(str(number) for number in range(1, derived.array.ndim))
        return Named(array=derived.array, axes=(INPUT, *axes), rounding=error)

    def _function(self, runs: Runs, of: str, wrt: str) -> tuple[Value, NDArray[Any]]:
        """One symbol as a function of another, and where to differentiate it."""
        if wrt in self.sample.subject.inputs:
            name = self.sample.subject.inputs[wrt]
            at = np.stack([np.asarray(runs.inputs[row.run][name]) for row in self.rows])
            return lambda changes: self._after_runs(runs, of, wrt, tuple(changes)), at
        environment = self._environment(runs)
        at = environment.values[wrt].array
        return lambda changes: self._by_definition(environment, of, wrt, changes), at

    def _environment(self, runs: Runs) -> Environment:
        """The values in runs on other inputs."""
        if runs is self.sample.runs:
            return self.environment
        values = {
            name: named(self._reshaped(name, self.stacked(name, runs)), value.axes)
            for name, value in self.environment.values.items()
        }
        return replace(self.environment, values=values)

    def _reshaped(self, name: str, values: Sequence[object]) -> Numbers:
        shape = self.environment.values[name].array.shape[1:]
        return np.stack([np.asarray(value).reshape(shape) for value in values])

    def _after_runs(
        self, runs: Runs, of: str, wrt: str, changes: tuple[Perturbation, ...]
    ) -> Numbers:
        """The values of a symbol when an input of the code changes."""
        key = (id(runs), wrt, changes)
        subject = self.sample.subject
        if key not in self._perturbed:
            name = subject.inputs[wrt]
            many = np.stack([np.asarray(inputs[name]) for inputs in runs.inputs])
            perturbed = [
                {**inputs, name: array.view(AnalyticArray) if np.iscomplexobj(array) else array}
                for arrays in perturb(many, changes)
                for inputs, array in zip(runs.inputs, arrays, strict=True)
            ]
            self._perturbed[key] = observe_each(subject, perturbed)
        found = self._perturbed[key]
        if of in self.environment.values:
            return self._changed(of, found, runs, len(changes))
        values = {
            symbol: named(self._changed(symbol, found, runs, len(changes)), (CHANGE, *value.axes))
            for symbol, value in self.environment.values.items()
        }
        environment = replace(self.environment, values=values)
        leading = dict(zip(LEADING, (len(changes), len(self.rows)), strict=True))
        return self.sample.definitions.value(of, environment, leading)

    def _changed(self, symbol: str, found: list[Run], runs: Runs, changes: int) -> Numbers:
        """A symbol's values after each change: axes for the changes, the rows, then its own."""
        count, place = len(runs.inputs), self.sample.subject.places[symbol]
        values = [values_at(run, place) for run in found]
        return np.stack(
            [
                self._reshaped(
                    symbol,
                    [
                        values[change * count + row.run][row.chosen[symbol]].value
                        for row in self.rows
                    ],
                )
                for change in range(changes)
            ]
        )

    def _by_definition(
        self, environment: Environment, of: str, wrt: str, changes: Sequence[Perturbation]
    ) -> Numbers:
        """The values of a symbol, by its definition, when another symbol changes."""
        value = environment.values[wrt]
        changed = named(perturb(value.array, changes), (CHANGE, *value.axes))
        environment = replace(environment, values={**environment.values, wrt: changed})
        leading = dict(zip(LEADING, (len(changes), len(self.rows)), strict=True))
        return self.sample.definitions.value(of, environment, leading, wrt)


def observe_samples(
    subject: Subject, symbols: Symbols, many: Sequence[InputSet | Inputs]
) -> tuple[Sample, ...]:
    """Run the subject on each of many inputs, once, for any number of equations.

    Args:
        subject: the code.
        symbols: what the page declares; the sizes of the dimensions are read off the values.
        many: sets of inputs; plain ones, by name, are ordinary and called by their number.

    Returns:
        A sample for each combination of shapes among the inputs. A symbol without a value, or with
        a value of another shape, is an error of the equations that it stands in.
    """
    definitions = DefiningEquations(subject.definitions, symbols)
    groups: dict[object, list[InputSet]] = {}
    for number, inputs in enumerate(many, start=1):
        one = (
            inputs
            if isinstance(inputs, InputSet)
            else InputSet(name=f"input {number}", values=inputs)
        )
        groups.setdefault(_shapes(one.values), []).append(one)
    samples = []
    for sets in groups.values():
        runs, *variations = _observe(subject, [one.values for one in sets])
        samples.append(
            Sample(
                subject=subject,
                symbols=symbols,
                definitions=definitions,
                inputs=tuple(sets),
                runs=runs,
                variants=tuple(variations),
            )
        )
    return tuple(samples)


def _shapes(inputs: Inputs) -> object:
    arrays = {name: np.asarray(value) for name, value in inputs.items()}
    return tuple((name, array.shape, array.dtype.str) for name, array in sorted(arrays.items()))


def _observe(subject: Subject, many: Sequence[Inputs]) -> list[Runs]:
    """Run inputs of the same shapes as they are, and then each kind of variant of them."""
    variations = zip(
        *((Variant(inputs=one, scale=1.0), *variants(one)) for one in many), strict=True
    )
    found = []
    for group in variations:
        inputs = tuple(variant.inputs for variant in group)
        values, unknown = _values(subject, inputs)
        scale = group[0].scale
        found.append(Runs(inputs=inputs, values=tuple(values), scale=scale, unknown=unknown))
    return found


def _values(subject: Subject, many: Sequence[Inputs]) -> tuple[list[Values], dict[str, str]]:
    """The values of the symbols in each run, and why some have none in one of them."""
    unknown: dict[str, str] = {}
    found = [_found(subject, run, unknown) for run in observe_each(subject, many)]
    known = subject.places.keys() - unknown.keys()
    return [{name: one[name] for name in one if name in known} for one in found], unknown


def _found(subject: Subject, run: Run, unknown: dict[str, str]) -> Values:
    values = {}
    for symbol, place in subject.places.items():
        try:
            values[symbol] = values_at(run, place)
        except LookupError as error:
            unknown[symbol] = str(error.args[0])
    return values


def _bounded(value: Named, others: Sequence[tuple[Named, float]], unit: float) -> Named:
    """Add to the rounding of a value how far it moved in the variants."""
    with np.errstate(all="ignore"):
        moves = [np.abs(other.array - value.array) * scale for other, scale in others]
    worst = np.nan_to_num(np.maximum.reduce(moves), nan=0.0, posinf=0.0)
    rounding = value.rounding * (unit / EPSILON) + worst + _mean_of_each(worst)
    return replace(value, rounding=rounding)


def _mean_of_each(array: Numbers) -> Numbers:
    """The mean along all axes but the first, which stay."""
    axes = tuple(range(1, array.ndim))
    return np.asarray(array.mean(axis=axes, keepdims=True) if array.size else array)


def dimension_sizes(
    observed: Mapping[str, object], symbols: Symbols
) -> tuple[dict[str, int], dict[str, str]]:
    """The size of each dimension, from the values that have exactly their declared axes.

    Returns:
        The sizes, and for each symbol that disagrees with one before it, the message.
    """
    sizes: dict[str, int] = {}
    origin: dict[str, str] = {}
    unknown: dict[str, str] = {}
    for symbol in symbols.declared:
        if symbol.latex not in observed:
            continue
        shape = np.asarray(observed[symbol.latex]).shape
        if len(shape) != len(symbol.axes):
            continue
        for name, size in zip(symbol.axes, shape, strict=True):
            if sizes.setdefault(name, size) != size:
                unknown[symbol.latex] = (
                    f"{name} is {sizes[name]} in {origin[name]} and {size} in {symbol.latex}"
                )
            origin.setdefault(name, symbol.latex)
    return sizes, unknown


def _shaped(observed: Sequence[object], symbol: Symbol, sizes: Mapping[str, int]) -> Named:
    """Stack values and name their axes; those of size 1 that `keepdims` left are dropped."""
    wanted = tuple(sizes.get(name, -1) for name in symbol.axes)
    arrays = []
    for value in observed:
        array = np.asarray(value)
        if array.shape != wanted:
            kept = [size for size in array.shape if size != 1]
            if array.ndim <= len(wanted) or kept != [size for size in wanted if size != 1]:
                raise ValueError(_shape_message(symbol, array.shape, wanted))
        arrays.append(array.reshape(wanted))
    return named(np.stack(arrays), (INPUT, *symbol.axes))


def _shape_message(symbol: Symbol, shape: tuple[int, ...], wanted: tuple[int, ...]) -> str:
    needed = f"({', '.join(symbol.axes)})"
    if wanted and -1 not in wanted:
        needed += f" = {wanted}"
    return f"{symbol.latex} has shape {shape}, the equation needs {needed}"
