"""One run of the subject: the values of the symbols, and derivatives between them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqcheck.definitions import Definitions
from eqcheck.differentiate import Derived, Perturbation, differentiate
from eqcheck.evaluate import Environment
from eqcheck.named import EPSILON, Named, Numbers, named
from eqcheck.subject import Inputs, Subject, observe_each
from eqcheck.symbols import Symbols

_NUDGES = 3


@dataclass(slots=True, kw_only=True)
class Sample:
    """The subject's values on one set of inputs. Derivatives are found when they are asked for.

    Attributes:
        subject: what ran.
        symbols: the page's.
        inputs: what it ran on.
        environment: the values of the symbols, with bounds on their rounding errors.
        methods: for each pair of symbols whose derivative was asked for, how it was found.
    """

    subject: Subject
    symbols: Symbols
    definitions: Definitions
    inputs: Inputs
    environment: Environment
    methods: dict[tuple[str, str], str] = field(default_factory=dict)
    _derived: dict[tuple[str, str], Derived] = field(default_factory=dict)
    _runs: dict[tuple[str, Perturbation], Mapping[str, Named]] = field(default_factory=dict)

    def derivative(self, of: str, wrt: str) -> Named:
        """The partial derivative of one symbol with respect to another.

        Returns:
            An array with the axes of `of`, then those of `wrt`.

        Raises:
            LookupError: neither the code nor a definition says how `of` depends on `wrt`.
        """
        if (of, wrt) not in self._derived:
            self._derived[of, wrt] = self._differentiate(of, wrt)
            self.methods[of, wrt] = self._derived[of, wrt].method
        derived = self._derived[of, wrt]
        axes = tuple(f"{n}" for n in range(derived.array.ndim))
        return Named(array=derived.array, axes=axes, rounding=derived.error)

    def _differentiate(self, of: str, wrt: str) -> Derived:
        if wrt in self.subject.inputs:
            at = np.asarray(self.inputs[self.subject.inputs[wrt]])
            observed = of in self.environment.values
            if not observed and of not in self.definitions:
                raise LookupError(f"neither the code nor a definition says what {of} is")
            return differentiate(lambda change: self._after_run(of, wrt, at, change), at)
        if wrt not in self.environment.values:
            raise LookupError(f"{wrt} has no value")
        if not self.definitions.depends(of, wrt):
            raise LookupError(f"no equation on the page says how {of} depends on {wrt}")
        at = self.environment.values[wrt].array
        return differentiate(lambda change: self._after_change(of, wrt, at, change), at)

    def _after_run(self, of: str, wrt: str, at: NDArray[Any], change: Perturbation) -> Numbers:
        """The value of a symbol when an input of the code changes."""
        key = (wrt, change)
        if key not in self._runs:
            inputs = {**self.inputs, self.subject.inputs[wrt]: change.apply(at)}
            (observed,) = observe_each(self.subject, [inputs])
            self._runs[key] = _shaped(observed, self.symbols, dict(self.environment.sizes))
        values = self._runs[key]
        if of in values:
            return values[of].array
        return self.definitions.value(of, replace(self.environment, values=values))

    def _after_change(self, of: str, wrt: str, at: NDArray[Any], change: Perturbation) -> Numbers:
        """The value of a symbol, by its definition, when another symbol changes."""
        axes = self.environment.values[wrt].axes
        values = {**self.environment.values, wrt: named(change.apply(at), axes)}
        return self.definitions.value(of, replace(self.environment, values=values), wrt)


def observe_samples(
    subject: Subject, symbols: Symbols, many: Sequence[Inputs]
) -> tuple[Sample, ...]:
    """Run the subject on each of many inputs, once, for any number of equations.

    Each run is repeated with the inputs moved by a hair. How far a value moves says how much
    rounding there can be in it: much, if it is a small difference of large numbers.

    Args:
        subject: the code.
        symbols: what the page declares; the sizes of the dimensions are read off the values.
        many: the inputs, each by name.

    Raises:
        LookupError: a place holds no value.
        ValueError: a value does not have the axes that its symbol was declared with.
        LatexError: a definition cannot be read.
    """
    definitions = Definitions(subject.definitions, symbols)
    runs = [inputs for each in many for inputs in (each, *_nudged(each))]
    observed = observe_each(subject, runs)
    samples = []
    for number, inputs in enumerate(many):
        first, *others = observed[number * (_NUDGES + 1) : (number + 1) * (_NUDGES + 1)]
        sizes = dimension_sizes(first, symbols)
        values = _shaped(first, symbols, sizes)
        moved = [_shaped(other, symbols, sizes) for other in others]
        bounded = {name: _bounded(value, name, moved, inputs) for name, value in values.items()}
        sample = Sample(
            subject=subject,
            symbols=symbols,
            definitions=definitions,
            inputs=inputs,
            environment=Environment(values=bounded, sizes=sizes),
        )
        sample.environment = replace(sample.environment, derivative=sample.derivative)
        samples.append(sample)
    return tuple(samples)


def _unit(inputs: Inputs) -> float:
    """The precision of the inputs: of the coarsest of them."""
    kinds = [np.asarray(value).dtype for value in inputs.values()]
    return max((float(np.finfo(kind).eps) for kind in kinds if kind.kind == "f"), default=EPSILON)


def _nudged(inputs: Inputs) -> Iterable[Inputs]:
    """The inputs, each number moved by its own small fraction, several times."""
    size = _unit(inputs) ** 0.7
    for number in range(_NUDGES):
        generator = np.random.default_rng(number)
        moved = {}
        for name, value in inputs.items():
            array = np.asarray(value)
            moved[name] = value
            if array.dtype.kind == "f":
                factors = 1 + size * generator.choice([-1.0, 1.0], array.shape)
                moved[name] = (array * factors).astype(array.dtype)
        yield moved


def _bounded(value: Named, name: str, moved: list[dict[str, Named]], inputs: Inputs) -> Named:
    unit = _unit(inputs)
    with np.errstate(all="ignore"):
        moves = [np.abs(other[name].array - value.array) for other in moved]
        worst = np.maximum.reduce(moves) * (unit / unit**0.7)
    rounding = np.maximum(value.rounding, unit * np.abs(value.array) * (value.rounding > 0))
    rounding = rounding + np.where(np.isfinite(worst), worst, 0)
    return replace(value, rounding=rounding)


def dimension_sizes(observed: Mapping[str, object], symbols: Symbols) -> dict[str, int]:
    """The size of each dimension, from the values that have exactly their declared axes.

    Raises:
        ValueError: two values disagree.
    """
    sizes: dict[str, int] = {}
    origin: dict[str, str] = {}
    for symbol in symbols.declared:
        shape = np.shape(observed[symbol.latex]) if symbol.latex in observed else ()  # type: ignore[arg-type]
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
