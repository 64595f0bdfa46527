"""Check the equations of a display against the code."""

from collections.abc import Sequence
from dataclasses import replace

from eqcheck.compare import TOLERANCE, Comparison, compare
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
    environments = [sample.environment for sample in samples]
    verdict = compare(chain, environments, tolerance=tolerance)
    pairs = {pair for term in chain.terms for pair in _derivatives(term)}
    methods = (sample.methods[pair] for sample in samples for pair in pairs)
    return replace(verdict, methods=frozenset().union(*methods))


def _derivatives(node: Expression) -> set[tuple[str, str]]:
    if isinstance(node, Derivative):
        return {(node.of.symbol, node.wrt.symbol)}
    return {pair for child in children(node) for pair in _derivatives(child)}
