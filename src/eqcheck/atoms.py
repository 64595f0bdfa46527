"""Read what products are made of: brackets, fractions, functions, sums, symbols, powers."""

from eqcheck.conditions import COMPARISONS
from eqcheck.cursor import Cursor
from eqcheck.functions import OPENING, REDUCTIONS, Functions
from eqcheck.references import Range, matching, read_reference, read_scripts
from eqcheck.symbols import Symbols
from eqcheck.tree import (
    Absolute,
    Constant,
    Delta,
    Derivative,
    Expression,
    Fraction,
    Indicator,
    Number,
    Power,
    Reference,
    Root,
    Transpose,
)

_CONSTANTS = {r"\pi": "pi", r"\infty": "infty", "e": "e"}
_NO_FACTOR = frozenset(
    [
        r"\cdot",
        r"\times",
        r"\odot",
        r"\approx",
        r"\le",
        r"\ge",
        r"\ne",
        r"\quad",
        r"\rvert",
        r"\}",
        r"\\",
        r"\end",
        r"\top",
        r"\partial",
    ]
)


class Atoms(Functions):
    """The part of the grammar below products."""

    def __init__(self, cursor: Cursor, symbols: Symbols) -> None:
        super().__init__(cursor, symbols)
        self._bars = 0  # how many |…| are open

    def starts_factor(self) -> bool:
        """Whether what comes next can begin a factor."""
        text = self.cursor.text
        if text == "|":
            return not self._bars
        command = len(text) > 1 and text[0] == "\\" and text not in _NO_FACTOR
        return command or text in OPENING or text[:1].isalnum() or text[:1] == "."

    def factor(self) -> Expression:
        """Read one factor, with its power."""
        with self.cursor.deeper():
            return self._factor()

    def _factor(self) -> Expression:
        cursor, text = self.cursor, self.cursor.text
        if found := matching(cursor, self.symbols):
            read = read_reference(cursor, self.symbols, found)
            return self._powered(read.reference, read.superscript)
        if text in OPENING:
            return self._bracketed()
        if text[:1].isdigit() or text[:1] == "." or text in _CONSTANTS:
            token = cursor.take()
            span = (token.start, token.end)
            constant = text in _CONSTANTS
            return self._raised(
                Constant(name=_CONSTANTS[text], span=span)
                if constant
                else Number(text=text, span=span)
            )
        return self._command()

    def _command(self) -> Expression:
        """Read a fraction, a function or whatever else begins with a command."""
        cursor, text = self.cursor, self.cursor.text
        special = {
            r"\frac": self._fraction,
            r"\sqrt": self._root,
            r"\delta": self._delta,
            r"\begin": self.cases,
            r"\sum": self.big,
            r"\prod": self.big,
        }
        if text in special:
            return special[text]()
        if text in {r"\mathbb", r"\mathbf", r"\boldsymbol"} and cursor.ahead(2) == "1":
            return self.indicator()
        if name := self.named():
            return self.reduction(name) if name in REDUCTIONS else self.function(name)
        if self.starts_factor():
            raise cursor.error(f"{text} is not declared")
        raise cursor.error(f"a factor is expected, not {text}" if text else "a factor is missing")

    # Brackets and scripts

    def _bracketed(self) -> Expression:
        cursor, start = self.cursor, self.cursor.start
        if cursor.text == "[" and (indicator := self._try_indicator()):
            return indicator
        return self._raised(self.bracket(), start)

    def bracket(self) -> Expression:
        """Read brackets, or bars, and what is in them."""
        cursor, opening = self.cursor, self.cursor.take()
        bar = opening.text == "|"
        bars, self._bars = self._bars, int(bar)
        inside = self.sum()
        self._bars = bars
        if bar or opening.text == r"\lvert":
            cursor.expect("|" if bar else r"\rvert")
            return Absolute(operand=inside, span=(opening.start, cursor.end))
        if opening.text == "{":
            cursor.expect("}")
        else:
            self.close(opening.text, stretched=opening.stretched)
        return inside

    def _try_indicator(self) -> Indicator | None:
        """Read `[…]` as an indicator if there is a comparison in it."""
        cursor, depth = self.cursor, 0
        for token in cursor.tokens[cursor.at : cursor.stop]:
            depth += (token.text in {"[", "(", "{", r"\{"}) - (token.text in {"]", ")", "}", r"\}"})
            if depth == 0:
                return None
            if depth == 1 and token.text in COMPARISONS:
                return self.indicator()
        return None

    def _raised(self, base: Expression, start: int | None = None) -> Expression:
        """Read the power of what has just been read, if there is one."""
        subscript, superscript = read_scripts(self.cursor)
        if subscript:
            raise self.cursor.error("only a symbol has indices", base.span[0])
        return self._powered(base, superscript, start)

    def _powered(
        self, base: Expression, superscript: Range | None, start: int | None = None
    ) -> Expression:
        if superscript is None:
            return base
        cursor = self.cursor
        span = (base.span[0] if start is None else start, cursor.end)
        texts = [token.text for token in cursor.tokens[slice(*superscript)]]
        whole = isinstance(base, Reference) and base.axes and not base.indices
        if texts == [r"\top"]:
            if isinstance(base, Reference) and base.indices:
                raise cursor.error("what has indices cannot be transposed", span[0])
            return Transpose(operand=base, span=span)
        if texts == ["T"] and whole:
            raise cursor.error(r"write \top for a transpose", cursor.tokens[superscript[0]].start)
        exponent = cursor.within(superscript, self.sum)
        return Power(base=base, exponent=exponent, span=span)

    def _argument(self) -> Expression:
        r"""Read an argument of `\frac` or `\sqrt`: a group, or one token."""
        return self.cursor.within(self._argument_range(), self.sum)

    def _argument_range(self) -> Range:
        token = self.cursor.token
        if len(token.text) > 1 and token.text[0].isdigit():
            raise self.cursor.error("put braces around this number")
        return self.cursor.skip_group()

    # Fractions, roots, Kronecker's delta

    def _fraction(self) -> Expression:
        cursor, start = self.cursor, self.cursor.take().start
        if cursor.text == "{" and cursor.ahead() == r"\partial":
            of = cursor.within(self._argument_range(), self._differential)
            wrt = cursor.within(self._argument_range(), self._differential)
            fraction: Expression = Derivative(of=of, wrt=wrt, span=(start, cursor.end))
        else:
            above, below = self._argument(), self._argument()
            fraction = Fraction(numerator=above, denominator=below, span=(start, cursor.end))
        if cursor.text in {"^", "_"}:
            raise cursor.error("bracket the fraction before a script")
        return fraction

    def _differential(self) -> Reference:
        cursor = self.cursor
        cursor.expect(r"\partial")
        found = matching(cursor, self.symbols)
        if not found:
            raise cursor.error(f"{cursor.token.text} is not declared")
        read = read_reference(cursor, self.symbols, found)
        if read.superscript:
            raise cursor.error("a power cannot stand here", read.reference.span[0])
        return read.reference

    def _root(self) -> Expression:
        cursor, start = self.cursor, self.cursor.take().start
        degree = None
        if cursor.accept("["):
            degree = self.sum()
            cursor.expect("]")
        radicand = self._argument()
        return self._raised(Root(radicand=radicand, degree=degree, span=(start, cursor.end)))

    def _delta(self) -> Expression:
        cursor, start = self.cursor, self.cursor.take().start
        subscript, superscript = read_scripts(cursor)
        indices = self.indices(subscript) if subscript else ()
        if len(indices) != 2 or superscript:  # noqa: PLR2004 - a pair
            raise cursor.error(r"\delta is not declared, and Kronecker's has two indices", start)
        return Delta(first=indices[0], second=indices[1], span=(start, cursor.end))
