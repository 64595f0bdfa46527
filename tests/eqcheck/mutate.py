"""Small mistakes in equations, to see whether a check notices them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from eqcheck.printing import to_latex
from eqcheck.symbols import Symbols
from eqcheck.tree import (
    Absolute,
    Add,
    Call,
    Chain,
    Condition,
    Delta,
    Derivative,
    Expression,
    Fraction,
    Hadamard,
    Negate,
    Number,
    Power,
    Product,
    Reduce,
    Reference,
    Root,
    Softmax,
    Transpose,
    children,
    with_children,
)

_RELATIONS = {r"\le": "<", "<": r"\le", r"\ge": ">", ">": r"\ge", "=": r"\ne", r"\ne": "="}
_OPERATORS = {"sum": "mean", "mean": "sum", "max": "min", "min": "max", "std": "var", "var": "std"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A chain with one mistake.

    Attributes:
        description: what was changed, in words.
        chain: the chain as it is now.
    """

    description: str
    chain: Chain


def mutants(chain: Chain, symbols: Symbols) -> tuple[Mutant, ...]:
    r"""Make every small mistake in a chain, each by itself.

    A sign, an index, a term or factor that is missing, d - 1 for d, another power or number, a
    missing root or function, another symbol with the same axes, a mean for a sum.

    Args:
        chain: from `parse`.
        symbols: what the page declares: which symbols can take each other's place.
    """
    mistakes = _Mistakes(chain, symbols)
    found: dict[Chain, str] = {}
    for number, term in enumerate(chain.terms):
        for description, changed in mistakes.everywhere(term):
            terms = (*chain.terms[:number], changed, *chain.terms[number + 1 :])
            mutant = replace(chain, terms=terms)
            if mutant != chain:
                found.setdefault(mutant, description)
    return tuple(Mutant(description=text, chain=mutant) for mutant, text in found.items())


Variants = Iterator[tuple[str, Expression]]


class _Mistakes:
    """The mistakes that can be made in one chain."""

    def __init__(self, chain: Chain, symbols: Symbols) -> None:
        self._symbols = symbols
        nodes = [node for term in chain.terms for node in _nodes(term)]
        references = [node for node in nodes if isinstance(node, Reference)]
        self._indices = sorted({index for node in references for index in node.indices})
        self._dimensions = {axis for axes in symbols.axes.values() for axis in axes}

    def everywhere(self, node: Expression) -> Variants:
        """Every mistake in a node and in what is inside it."""
        make = _KINDS.get(type(node))
        if make is not None:
            yield from make(self, node)
        inside = children(node)
        for number, child in enumerate(inside):
            for description, changed in self.everywhere(child):
                if isinstance(node, Derivative) and not isinstance(changed, Reference):
                    continue
                new = (*inside[:number], changed, *inside[number + 1 :])
                yield description, with_children(node, new)

    def add(self, node: Add) -> Variants:
        for number, term in enumerate(node.terms):
            before, after = node.terms[:number], node.terms[number + 1 :]
            other = term.operand if isinstance(term, Negate) else Negate(operand=term)
            yield f"sign of {to_latex(term)}", replace(node, terms=(*before, other, *after))
            rest = before + after
            less = rest[0] if len(rest) == 1 else replace(node, terms=rest)
            yield f"term {to_latex(term)} dropped", less

    def negate(self, node: Negate) -> Variants:
        yield f"sign of {to_latex(node.operand)}", node.operand

    def product(self, node: Product | Hadamard) -> Variants:
        for number, factor in enumerate(node.factors):
            rest = node.factors[:number] + node.factors[number + 1 :]
            less = rest[0] if len(rest) == 1 else replace(node, factors=rest)
            yield f"factor {to_latex(factor)} dropped", less
            yield f"sign of {to_latex(node)}", Negate(operand=node)

    def fraction(self, node: Fraction) -> Variants:
        yield f"denominator {to_latex(node.denominator)} dropped", node.numerator
        if node.numerator != Number(text="1"):
            yield (
                f"numerator {to_latex(node.numerator)} dropped",
                replace(node, numerator=Number(text="1")),
            )
        turned = Fraction(numerator=node.denominator, denominator=node.numerator)
        yield f"{to_latex(node)} turned over", turned

    def power(self, node: Power) -> Variants:
        yield f"power {to_latex(node.exponent)} dropped", node.base
        more = Add(terms=(node.exponent, Number(text="1")))
        yield f"power {to_latex(node.exponent)} raised by 1", replace(node, exponent=more)

    def number(self, node: Number) -> Variants:
        more = f"{float(node.text) + 1:g}"
        yield f"{node.text} becomes {more}", replace(node, text=more)

    def inside(self, node: Root | Call | Absolute | Transpose | Softmax) -> Variants:
        (content, *_) = children(node)
        yield f"{type(node).__name__.lower()} of {to_latex(content)} dropped", content

    def reduce(self, node: Reduce) -> Variants:
        if node.operator in _OPERATORS:
            other = replace(node, operator=_OPERATORS[node.operator], condition=None)
            yield f"{other.operator} for {node.operator}", other
        yield f"{node.operator} dropped", node.body
        for index in self._indices:
            if node.indices and index not in node.indices:
                changed = replace(node, indices=(index, *node.indices[1:]))
                yield f"{node.operator} over {index}", changed

    def delta(self, node: Delta) -> Variants:
        yield "delta becomes 1", Number(text="1")
        yield "delta of an index with itself", replace(node, second=node.first)

    def condition(self, node: Condition) -> Variants:
        other = _RELATIONS[node.relation]
        yield f"{other} for {node.relation}", replace(node, relation=other)
        yield "a condition turned round", replace(node, left=node.right, right=node.left)

    def reference(self, node: Reference) -> Variants:
        for symbol in self._symbols.declared:
            if symbol.axes == node.axes and symbol.latex != node.symbol:
                changed = replace(node, symbol=symbol.latex)
                yield f"{symbol.latex} for {node.symbol}", changed
        if node.symbol in self._dimensions and not node.axes:
            less = Add(terms=(node, Negate(operand=Number(text="1"))))
            yield f"{node.symbol} - 1 for {node.symbol}", less
        for number, old in enumerate(node.indices):
            for index in self._indices:
                if index != old:
                    indices = (*node.indices[:number], index, *node.indices[number + 1 :])
                    changed = replace(node, indices=indices)
                    yield f"index {old} of {node.symbol} becomes {index}", changed


def _nodes(node: Expression) -> Iterator[Expression]:
    yield node
    for child in children(node):
        yield from _nodes(child)


_KINDS: dict[type, Callable[..., Variants]] = {
    Add: _Mistakes.add,
    Negate: _Mistakes.negate,
    Product: _Mistakes.product,
    Hadamard: _Mistakes.product,
    Fraction: _Mistakes.fraction,
    Power: _Mistakes.power,
    Number: _Mistakes.number,
    Root: _Mistakes.inside,
    Call: _Mistakes.inside,
    Absolute: _Mistakes.inside,
    Transpose: _Mistakes.inside,
    Softmax: _Mistakes.inside,
    Reduce: _Mistakes.reduce,
    Delta: _Mistakes.delta,
    Condition: _Mistakes.condition,
    Reference: _Mistakes.reference,
}
