r"""Read conditions, and what is made of them: indicators such as `[i \le j]`, and cases."""

from abc import ABC, abstractmethod

from eqcheck.cursor import Cursor
from eqcheck.references import is_index, read_index
from eqcheck.symbols import Symbols
from eqcheck.tree import Cases, Condition, Expression, Indicator, Position

COMPARISONS = ("=", r"\ne", r"\le", r"\ge", "<", ">")
_CLOSING = {"]": "[", ")": "(", r"\}": r"\{"}
_AFTER_INDEX = frozenset(["", "}", "&", ",", r"\\", r"\end", *COMPARISONS, *_CLOSING])
_OTHERWISE = frozenset({"otherwise", "else"})
_IF = frozenset({"if", "for", "where", "when"})


class Conditions(ABC):
    """The part of the grammar that compares. The rest of the grammar completes it."""

    def __init__(self, cursor: Cursor, symbols: Symbols) -> None:
        self.cursor = cursor
        self.symbols = symbols

    @abstractmethod
    def sum(self) -> Expression:
        """Read a sum."""

    def condition(self) -> Condition:
        """Read two expressions, or two indices, with a comparison between them."""
        start = self.cursor.start
        return self.comparison(self._side(), start)

    def comparison(self, left: Expression, start: int) -> Condition:
        """Read the rest of a condition whose left side has been read."""
        relation = self.cursor.accept(*COMPARISONS)
        if relation is None:
            raise self.cursor.error("a condition needs a comparison")
        right = self._side()
        if isinstance(left, Position) != isinstance(right, Position):
            raise self.cursor.error("an index can be compared only with an index", start)
        span = (start, self.cursor.end)
        return Condition(left=left, relation=relation.text, right=right, span=span)

    def _side(self) -> Expression:
        cursor, start = self.cursor, self.cursor.start
        if is_index(cursor, self.symbols):
            primes = 1
            while cursor.ahead(primes) == "'":
                primes += 1
            if cursor.ahead(primes) in _AFTER_INDEX:
                index = read_index(cursor, self.symbols)
                return Position(index=index, span=(start, cursor.end))
        return self.sum()

    def indicator(self) -> Indicator:
        r"""Read `[condition]`, with or without `\mathbb{1}` before it."""
        cursor, start = self.cursor, self.cursor.start
        if cursor.accept(r"\mathbb", r"\mathbf", r"\boldsymbol"):
            for text in ("{", "1", "}"):
                cursor.expect(text)
        opening = cursor.accept(*_CLOSING.values())
        if opening is None:
            raise cursor.error("a condition in brackets is expected")
        condition = self.condition()
        self.close(opening.text, stretched=opening.stretched)
        return Indicator(condition=condition, span=(start, cursor.end))

    def close(self, opening: str, *, stretched: bool) -> None:
        r"""Take the bracket that closes another; `\left` needs `\right`."""
        closing = next(close for close, text in _CLOSING.items() if text == opening)
        if self.cursor.text == closing and self.cursor.token.stretched != stretched:
            raise self.cursor.error(r"\left and \right belong together")
        self.cursor.expect(closing)

    def cases(self) -> Cases:
        r"""Read `\begin{cases} value & condition \\ value & \text{otherwise} \end{cases}`."""
        cursor, start = self.cursor, self.cursor.start
        self._environment(r"\begin")
        values: list[Expression] = []
        conditions: list[Condition] = []
        while True:
            values.append(self.sum())
            cursor.accept(",")
            last = cursor.accept("&") is None or self._word(_OTHERWISE)
            if not last:
                self._word(_IF)
                conditions.append(self.condition())
            more = cursor.accept(r"\\") and cursor.text != r"\end"
            if last or not more:
                break
        self._environment(r"\end")
        if not conditions:
            raise cursor.error("these cases have no condition", start)
        span = (start, cursor.end)
        return Cases(values=tuple(values), conditions=tuple(conditions), span=span)

    def _environment(self, command: str) -> None:
        for text in (command, "{", *"cases", "}"):
            self.cursor.expect(text)

    def _word(self, words: frozenset[str]) -> bool:
        r"""Take `\text{…}` if it says one of these."""
        cursor = self.cursor
        if cursor.text not in {r"\text", r"\mathrm"}:
            return False
        at = cursor.at
        cursor.take()
        if self.letters() in words:
            return True
        cursor.at = at
        return False

    def letters(self) -> str:
        """Read letters in braces."""
        first, stop = self.cursor.skip_group()
        return "".join(token.text for token in self.cursor.tokens[first:stop])
