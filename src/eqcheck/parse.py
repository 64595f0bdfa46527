r"""Read the LaTeX of a display into expression trees.

Nothing is guessed: what has two readings, such as `\exp x y` or `a / b c`, is an error.
"""

from functools import lru_cache

from eqcheck.atoms import Atoms
from eqcheck.cursor import Cursor
from eqcheck.latex import tokenize
from eqcheck.symbols import Symbols
from eqcheck.tree import Add, Chain, Expression, Fraction, Hadamard, Negate, Product

RELATIONS = ("=", r"\approx", r"\le", r"\ge", "<", ">")
_TIMES = (r"\cdot", r"\times")


@lru_cache(maxsize=1024)
def parse(latex: str, symbols: Symbols) -> tuple[Chain, ...]:
    r"""Read a display: chains such as `a = b = c`, with commas or `\quad` between them.

    Args:
        latex: the display's LaTeX.
        symbols: what the page declares, from `declare`.

    Raises:
        LatexError: it cannot be read; the error knows the place.
    """
    cursor = Cursor(tokenize(latex), len(latex))
    grammar = _Grammar(cursor, symbols)
    chains = [grammar.chain()]
    while cursor.text in {",", r"\quad"}:
        while cursor.accept(",", r"\quad"):
            pass
        chains.append(grammar.chain())
    if cursor.text:
        raise cursor.error(f"{cursor.text} is not expected here")
    return tuple(chains)


def parse_expression(latex: str, symbols: Symbols) -> Expression:
    """Read one expression. Raises LatexError as `parse` does."""
    cursor = Cursor(tokenize(latex), len(latex))
    expression = _Grammar(cursor, symbols).sum()
    if cursor.text:
        raise cursor.error(f"{cursor.text} is not expected here")
    return expression


class _Grammar(Atoms):
    """Chains, sums and products; what they are made of is read by `Atoms`."""

    def chain(self) -> Chain:
        """Read terms with relations between them."""
        cursor = self.cursor
        start = cursor.start
        terms, relations = [self.sum()], []
        while relation := cursor.accept(*RELATIONS):
            relations.append(relation.text)
            terms.append(self.sum())
        if not relations:
            raise cursor.error("a relation, such as =, is missing")
        return Chain(terms=tuple(terms), relations=tuple(relations), span=(start, cursor.end))

    def sum(self) -> Expression:
        """Read products with + and - before and between them."""
        cursor = self.cursor
        start = cursor.start
        with cursor.deeper():
            terms = [self._signed(cursor.accept("-") is not None, start)]
            while sign := cursor.accept("+", "-"):
                terms.append(self._signed(sign.text == "-", sign.start))
        return terms[0] if len(terms) == 1 else Add(terms=tuple(terms), span=(start, cursor.end))

    def _signed(self, negative: bool, start: int) -> Expression:  # noqa: FBT001 - private
        product = self.product()
        return Negate(operand=product, span=(start, self.cursor.end)) if negative else product

    def product(self) -> Expression:
        r"""Read factors: side by side, or joined by `\cdot`, `\times`, `/` or `\odot`."""
        start = self.cursor.start
        first, single = self._group()
        groups = [first]
        while odot := self.cursor.accept(r"\odot"):
            group, alone = self._group()
            groups.append(group)
            single = single and alone
            if not single:
                message = r"bracket the products beside \odot: which comes first?"
                raise self.cursor.error(message, odot.start)
        if len(groups) == 1:
            return groups[0]
        return Hadamard(factors=tuple(groups), span=(start, self.cursor.end))

    def _group(self) -> tuple[Expression, bool]:
        r"""Read factors up to an `\odot`, and whether it was just one."""
        cursor = self.cursor
        start = cursor.start
        factors = [self.factor()]
        while True:
            if self.starts_factor() or cursor.text in {"/", *_TIMES, r"\odot"}:
                self.check_beside()
            if cursor.accept("/"):
                divided = _product(factors, (start, cursor.end))
                by = self.factor()
                if self.starts_factor() or cursor.text in {"/", *_TIMES, r"\odot"}:
                    raise cursor.error("bracket the denominator: where does it end?")
                span = (start, cursor.end)
                return Fraction(numerator=divided, denominator=by, span=span), False
            if cursor.accept(*_TIMES):
                factors.append(self.factor())
            elif self.starts_factor():
                if cursor.text[0].isdigit():
                    raise cursor.error(r"write \cdot before a number, or put it first")
                factors.append(self.factor())
            else:
                return _product(factors, (start, cursor.end)), len(factors) == 1


def _product(factors: list[Expression], span: tuple[int, int]) -> Expression:
    return factors[0] if len(factors) == 1 else Product(factors=tuple(factors), span=span)
