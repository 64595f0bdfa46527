"""Read functions of one argument, sums and other reductions."""

from abc import abstractmethod

from eqcheck.conditions import COMPARISONS, Conditions
from eqcheck.cursor import Cursor
from eqcheck.latex import STYLES
from eqcheck.references import Range, is_index, read_index, read_indices, read_scripts
from eqcheck.symbols import Symbols
from eqcheck.tree import Call, Condition, Expression, Position, Reduce, Softmax

FUNCTIONS = frozenset(
    ["exp", "log", "tanh", "sin", "cos", "sinh", "cosh", "sigmoid", "sign", "relu"]
)
REDUCTIONS = frozenset(["sum", "prod", "max", "min", "mean", "var", "std"])
OPENING = frozenset(["(", "[", "{", "|", r"\{", r"\lvert"])


class Functions(Conditions):
    """The part of the grammar for what has a name."""

    def __init__(self, cursor: Cursor, symbols: Symbols) -> None:
        super().__init__(cursor, symbols)
        self._bare = (-1, "")  # where an argument without brackets ended, and of what
        self._named_at = 0  # where the name read last begins

    @abstractmethod
    def product(self) -> Expression:
        """Read a product."""

    @abstractmethod
    def factor(self) -> Expression:
        """Read a factor."""

    @abstractmethod
    def bracket(self) -> Expression:
        """Read brackets and what is in them."""

    def check_beside(self) -> None:
        """Refuse anything beside an argument without brackets."""
        at, name = self._bare
        if at == self.cursor.at:
            raise self.cursor.error(f"bracket the argument of {name}: where does it end?")

    def named(self) -> str:
        r"""Take the name of a known function or reduction: `\exp`, `\operatorname{mean}`."""
        cursor, at = self.cursor, self.cursor.at
        self._named_at = cursor.start
        known = FUNCTIONS | REDUCTIONS | {"softmax"}
        if cursor.text in STYLES:
            style = cursor.take()
            name = self.letters()
            if name in known:
                return name
            cursor.at = at
            if style.text == r"\operatorname":
                raise cursor.error(f"no function {name} is known")
        elif cursor.text[:1] == "\\" and cursor.text[1:] in known:
            return cursor.take().text[1:]
        return ""

    def function(self, name: str) -> Expression:
        """Read the argument of a function, and the index of a softmax."""
        cursor, start = self.cursor, self._named_at
        index = ""
        if name == "softmax":
            subscript, superscript = read_scripts(cursor)
            indices = self.indices(subscript) if subscript else ()
            if len(indices) != 1 or superscript:
                raise cursor.error("the softmax needs one index: along which axis?", start)
            index = indices[0]
        argument = self._argument_of(name)
        span = (start, cursor.end)
        if index:
            return Softmax(index=index, argument=argument, span=span)
        return Call(function=name, argument=argument, span=span)

    def indices(self, subscript: Range) -> tuple[str, ...]:
        """Read a range of tokens as indices."""
        return self.cursor.within(subscript, lambda: read_indices(self.cursor, self.symbols))

    def _argument_of(self, name: str) -> Expression:
        cursor = self.cursor
        if cursor.text in {"^", "_"}:
            raise cursor.error(f"{name} takes no script here")
        if cursor.text in OPENING:
            argument = self.bracket()
            if cursor.text in {"^", "_"}:
                raise cursor.error(f"does this belong to {name} or to its argument? Use brackets")
            return argument
        argument = self.factor()
        self._bare = (cursor.at, name)
        return argument

    def big(self) -> Expression:
        r"""Read `\sum` or `\prod`; it takes all that follows in the product."""
        start = self.cursor.start
        return self._reduced(self.cursor.take().text[1:], start, big=True)

    def reduction(self, name: str) -> Expression:
        r"""Read `\max_i` or `\operatorname{mean}_i`, whose name has been read."""
        return self._reduced(name, self._named_at, big=False)

    def _reduced(self, name: str, start: int, *, big: bool) -> Expression:
        cursor = self.cursor
        subscript, superscript = read_scripts(cursor)
        indices: tuple[str, ...] = ()
        lower: Expression | None = None
        condition: Condition | None = None
        if subscript:
            indices, lower, condition = cursor.within(subscript, self._range)
        if (lower is None) != (superscript is None):
            raise cursor.error("a sum has both limits or none", start)
        upper = cursor.within(superscript, self.sum) if superscript else None
        body = self.product() if big else self._argument_of(name)
        return Reduce(
            operator=name,
            indices=indices,
            lower=lower,
            upper=upper,
            condition=condition,
            body=body,
            span=(start, cursor.end),
        )

    def _range(self) -> tuple[tuple[str, ...], Expression | None, Condition | None]:
        r"""Read what stands under a sum: `i`, `i,j`, `i=1` or `j \le i`."""
        cursor, at, start = self.cursor, self.cursor.at, self.cursor.start
        first = read_index(cursor, self.symbols)
        if cursor.accept("="):
            if is_index(cursor, self.symbols):
                raise cursor.error("an index cannot be a limit")
            return (first,), self.sum(), None
        if cursor.text in COMPARISONS:
            position = Position(index=first, span=(start, cursor.end))
            return (first,), None, self.comparison(position, start)
        cursor.at = at
        return read_indices(cursor, self.symbols), None, None
