"""Check the equations of a display against the code."""

from collections.abc import Sequence
from dataclasses import replace

from eqcheck.compare import TOLERANCE, Comparison, compare, symbols_of
from eqcheck.parse import parse
from eqcheck.sample import Sample
from eqcheck.symbols import Symbols
from eqcheck.tree import Chain, Derivative, Expression, children


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
    return replace(found, methods=frozenset().union(*methods))


def _derivatives(node: Expression) -> set[tuple[str, str]]:
    if isinstance(node, Derivative):
        return {(node.of.symbol, node.wrt.symbol)}
    return {pair for child in children(node) for pair in _derivatives(child)}
