r"""Check the equations of a display against the code.

An equation says three things. It is true of what the code computed: `check`. It says something: if
a value from the code were another, it would be false (`breaks_when_moved`), as `\mu = \mu`,
`0 = 0` or an inequality that cannot fail would not. And it is about the line beside it:
`symbols_at` tells which of its symbols are computed there.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from eqcheck.compare import TOLERANCE, Comparison, Outcome, compare, symbols_of
from eqcheck.evaluate import Environment, Occasion
from eqcheck.named import Named
from eqcheck.parse import parse
from eqcheck.sample import Sample
from eqcheck.subject import Subject
from eqcheck.symbols import Symbols
from eqcheck.tree import Chain, Derivative, Expression, Reference, children
from eqcheck.value_place import ValuePlace

_NO_DERIVATIVE = "there is no derivative here: the function has a kink"
_MOVE = (0.1, 0.2)  # as much as a mistake that a reader would not notice


def check(
    latex: str, symbols: Symbols, samples: Sequence[Sample], *, tolerance: float = TOLERANCE
) -> tuple[Comparison, ...]:
    """Check a display: every relation of every chain, on every sample.

    Args:
        latex: the display's LaTeX.
        symbols: what the page declares.
        samples: what the code computed, from `observe_samples`; they can be shared.
        tolerance: see `compare`.

    Returns:
        A verdict for each chain.

    Raises:
        LatexError: the LaTeX cannot be read.
        AxisError: indices do not fit.
        MissingValueError: a symbol has no value, or nothing says what a derivative is.
    """
    return tuple(
        check_chain(chain, samples, tolerance=tolerance) for chain in parse(latex, symbols)
    )


def check_chain(
    chain: Chain, samples: Sequence[Sample], *, tolerance: float = TOLERANCE
) -> Comparison:
    """Check one chain; see `check`."""
    pairs = {pair for term in chain.terms for pair in _derivatives(term)}
    dependent = {symbol for pair in pairs for symbol in pair}
    names = symbols_of(chain)
    views = [view for sample in samples for view in sample.views(names, dependent)]
    environments = [view.with_derivatives for view in views]
    found = compare(chain, environments, tolerance=tolerance)
    methods = (view.methods[pair] for view in views for pair in pairs)
    kinks = {occasion for view in views for pair in pairs for occasion in view.kinks(*pair)}

    def explained(occasion: Occasion, reason: str) -> str:
        return _NO_DERIVATIVE if occasion in kinks and "NaN" in reason else reason

    remarks = tuple(
        replace(remark, reason=explained(remark.occasion, remark.reason))
        for remark in found.remarks
    )
    return replace(
        found,
        methods=frozenset().union(*methods),
        reason=explained(found.occasion, found.reason),
        remarks=remarks,
    )


def _derivatives(node: Expression) -> set[tuple[str, str]]:
    if isinstance(node, Derivative):
        return {(node.of.symbol, node.wrt.symbol)}
    return {pair for child in children(node) for pair in _derivatives(child)}


def breaks_when_moved(chain: Chain, symbol: str, samples: Sequence[Sample]) -> bool:
    """Whether a chain no longer holds if the values of a symbol are 10 to 20 % off.

    Every value moves by an amount of its own. An equation must break both when they grow and when
    they shrink, an inequality in one of the two cases.

    Raises:
        EquationError: the chain cannot be checked.
    """
    pairs = {pair for term in chain.terms for pair in _derivatives(term)}
    dependent = {name for pair in pairs for name in pair}
    views = [view for sample in samples for view in sample.views(symbols_of(chain), dependent)]
    environments = [view.with_derivatives for view in views]
    broken = [
        any(
            compare(chain, [_moved(one, symbol, sign)]).outcome is Outcome.FAILS
            for one in environments
        )
        for sign in (1.0, -1.0)
    ]
    equality = all(relation in {"=", r"\approx"} for relation in chain.relations)
    return all(broken) if equality else any(broken)


def _moved(environment: Environment, symbol: str, sign: float) -> Environment:
    """The values with those of one symbol moved; a derivative of it moves as it does."""
    value = environment.values.get(symbol)
    if value is None:
        return environment
    generator = np.random.default_rng(0)
    moves = sign * generator.uniform(*_MOVE, size=value.array.shape)
    finite = value.array[np.isfinite(value.array)]
    step = float(np.abs(finite).mean()) if finite.size else 0.0  # for zeros, which no factor moves
    array = np.where(value.array == 0, moves * (step or 1.0), value.array * (1 + moves))
    derivative = environment.derivative

    def moved(of: str, wrt: str) -> Named:
        assert derivative is not None  # noqa: S101 - it is only asked for where there is one
        found = derivative(of, wrt)
        if of != symbol:
            return found
        factors = (1 + moves).reshape(*moves.shape, *(1,) * (found.array.ndim - moves.ndim))
        return replace(found, array=found.array * factors)

    return replace(
        environment,
        values={**environment.values, symbol: replace(value, array=array)},
        derivative=derivative and moved,
    )


def says_something(chain: Chain, samples: Sequence[Sample]) -> bool:
    """Whether a chain could be false: it breaks when one of its symbols is moved.

    The size of a dimension does not count, which no line computes.
    """
    sizes = {name for sample in samples for name in sample.symbols.dimensions}
    names = sorted(symbols_of(chain) - sizes, key=_order(chain))
    return any(breaks_when_moved(chain, name, [sample]) for name in names for sample in samples)


def _order(chain: Chain) -> Callable[[str], tuple[bool, str]]:
    """The symbol that the chain begins with first, since it is the most likely to break it."""
    first = chain.terms[0]
    symbol = first.symbol if isinstance(first, Reference) else ""
    return lambda name: (name != symbol, name)


def symbols_at(chain: Chain, subject: Subject, place: ValuePlace) -> frozenset[str]:
    """The symbols of a chain whose values are found at a place: those that its line computes."""
    return frozenset(
        name
        for name in symbols_of(chain)
        if (found := subject.places.get(name)) is not None
        and (found.function, found.name) == (place.function, place.name)
        and place.number in (None, found.number)
        and place.line in (None, found.line)
    )
