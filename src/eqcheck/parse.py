r"""Read the LaTeX of a display into expression trees.

The parser reads from left to right with one method for each rule of this grammar:

    display    = statement { ("," | \quad) statement }
    statement  = definition | membership | chain [ranges]
    definition = name "(" parameter { "," parameter } ")" "=" sum
    membership = symbol { "," symbol } \in \mathbb{R}^{ size { \times size } }
    chain      = sum relation sum { relation sum }
    ranges     = \forall index | index relation place | index = first, \dots, last
    sum        = ["-"] product { ("+" | "-") product }
    product    = factor { [\cdot | \times | "/" | \odot] factor }
    factor     = (symbol | number | bracket | function | ...) [subscript] ["^" power]
    place      = sums and products of indices, numbers and dimensions

The symbols that a page declares decide what letters mean: `dX` is one symbol if it is declared;
`\sigma_t^2` is the symbol `\sigma^2` with an index, or the square of the symbol `\sigma`.

Nothing is guessed: what has two readings, such as `\exp x y` or `a / b c`, is an error that says
how to write the one or the other.

Indices count from 1, as in mathematics, unless the statement itself counts from 0, as in
`\sum_{i=0}^{d-1}`, `Y_{0j}` or `F_{t,hk+c}`. Since that can stand anywhere in it, a statement that
turns out to count from 0 is read a second time. Only numbers depend on it. The value of a symbol
that is used as an index, as in `W_{x_t,i}`, counts from 0, as in the code.

A function that the page defines is expanded where it is used: the tokens of its right side are
read again, with the arguments for the parameters. The letters of its own indices get a number
after a `#`, which no LaTeX has, so that they are never taken for those around them.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from eqcheck.axes import unindexed
from eqcheck.errors import AxisError, LatexError
from eqcheck.latex import ACCENTS, STYLES, Cursor, Range, statement_tokens
from eqcheck.symbols import Function, Symbol, Symbols, fitting, stands_here
from eqcheck.tree import (
    Absolute,
    Add,
    Array,
    Call,
    Cases,
    Chain,
    Colon,
    Condition,
    Constant,
    Delta,
    Derivative,
    Diagonal,
    Element,
    Expression,
    Extent,
    Extreme,
    Fraction,
    Hadamard,
    Indicator,
    Inner,
    Interval,
    Inverse,
    Negate,
    Norm,
    Number,
    Ones,
    Position,
    Power,
    Product,
    Reduce,
    Reference,
    Restricted,
    Root,
    Softmax,
    Trace,
    Transpose,
    children,
    walk,
    with_children,
)

_Read = TypeVar("_Read")

RELATIONS = ("=", r"\approx", r"\le", r"\ge", "<", ">", r"\leftarrow")
COMPARISONS = ("=", r"\ne", r"\le", r"\ge", "<", ">")
FUNCTIONS = frozenset(
    ["exp", "log", "tanh", "sin", "cos", "sinh", "cosh", "sigmoid", "sign", "relu", "erf", "Phi"]
)
REDUCTIONS = frozenset(["sum", "prod", "max", "min", "mean", "var", "std"])
_MATRIX_FUNCTIONS: dict[str, type[Trace | Diagonal]] = {"tr": Trace, "diag": Diagonal}
_KNOWN = (FUNCTIONS - {"Phi"}) | REDUCTIONS | {"softmax"} | _MATRIX_FUNCTIONS.keys()
_ALIASES = {"ReLU": "relu", "sgn": "sign", "Tr": "tr", "trace": "tr", "ln": "log", "Var": "var"}
_GREEK = {r"\sigma": "sigmoid", r"\Phi": "Phi"}  # functions, where they are not declared
_CONSTANTS = {r"\pi": "pi", r"\infty": "infty", "e": "e"}
_CLOSING = {"]": "[", ")": "(", r"\}": r"\{"}
_OPENING = frozenset(
    ["(", "[", "{", "|", r"\{", r"\lvert", r"\|", r"\lVert", r"\lfloor", r"\lceil", r"\langle"]
)
_OPENS = _OPENING | {r"\begin"}
_CLOSES = frozenset([")", "]", "}", r"\}", r"\rvert", r"\rVert", r"\rfloor", r"\rceil", r"\rangle"])
_TIMES = (r"\cdot", r"\times")
_NO_FACTOR = frozenset(
    [
        *_CLOSES, *_TIMES, r"\odot", r"\approx", r"\le", r"\ge", r"\ne", r"\quad", r"\\", r"\end",
        r"\top", r"\leftarrow", r"\in", r"\forall",
    ]
)  # fmt: skip
_OTHERWISE = frozenset(["otherwise", "else"])
_IF = frozenset(["if", "for", "where", "when"])
_FOR_ALL = frozenset(["for", "forall", "foreach", "forevery", "if", "where", "when"])
_AFTER_RANGE = frozenset(["", ",", r"\quad", ")"])
_LARGEST = 2000  # expanded functions in one display: enough for any, and an end to their doubling
_REMEDIES = {
    r"\sim": "a distribution is not an equation: write what is computed from the sample",
    r"\lim": "a limit is not computed: write the value it has in the code",
    r"\to": "a limit is not computed: write the value it has in the code",
    r"\int": "an integral is not computed: write the sum that the code has",
    r"\propto": "write the factor, and =",
    r"\mathbb{E}": r"an expectation is not computed: write a mean, \operatorname{mean}_i(…)",
    r"\Pr": "a probability has no value of its own: write the symbol that holds it",
    r"\dots": r"what is left out? Write \sum, or a range of an index",
    r"\pm": "write one equation for each sign",
    r"\mp": "write one equation for each sign",
    r"\ll": "write < or >, and the bound",
    r"\gg": "write < or >, and the bound",
    r"\Rightarrow": "put each equation into a row of its own",
    r"\implies": "put each equation into a row of its own",
    r"\iff": "put each equation into a row of its own",
    r"\exists": "write the equation for one index, or for all of them",
    r"\arg": "an argument is not computed: compare with the maximum itself",
    r"\operatorname{argmax}": "it is not computed: compare with the maximum itself",
    r"\operatorname{argmin}": "it is not computed: compare with the minimum itself",
    r"\partial": r"a factor is expected: write \frac{\partial L}{\partial X}",
    r"\ne": "say what it is, with =",
    r"\simeq": r"write \approx",
    r"\cong": r"write \approx",
    r"\otimes": r"write the outer product as a b^\top, or with indices",
    r"\circ": r"write \odot for the product entry by entry",
    r"\star": r"write \odot, or the sum",
    r"\mapsto": "write f(x) = …",
    r"\subset": "sets are not compared",
    ".": "a number needs a digit after its point",
    ";": "separate equations by a comma",
    ":": "a colon stands in subscripts only",
}


@lru_cache(maxsize=1024)
def parse(latex: str, symbols: Symbols) -> tuple[Chain, ...]:
    r"""Read a display: chains such as `a = b = c`, with commas, `\quad` or `\\` between them.

    A definition of a function gives no chain; what follows it can use the function.
    `X \in \mathbb{R}^{T \times d}` gives a chain for the number of axes and one for each size.

    Args:
        latex: the display's LaTeX.
        symbols: what the page declares, from `declare`.

    Raises:
        LatexError: it cannot be read; the error knows the place.
    """
    parser = _parser(latex, symbols)
    chains = parser.display()
    if not chains:
        message = "this defines a function and compares nothing: list it among the definitions"
        raise LatexError(message, 0)
    return chains


def parse_expression(latex: str, symbols: Symbols) -> Expression:
    """Read one expression. Raises LatexError as `parse` does."""
    return _parser(latex, symbols).statement(lambda parser: parser.whole_sum())


def with_functions(symbols: Symbols, displays: tuple[str, ...]) -> Symbols:
    r"""Add the functions that some displays define, as `\operatorname{GELU}(x) = …` does.

    Displays that cannot be read add nothing: checking them reports why.
    """
    for latex in displays:
        with suppress(LatexError):
            parser = _parser(latex, symbols)
            parser.display()
            symbols = replace(symbols, functions=parser.symbols.functions)
    return symbols


def _parser(latex: str, symbols: Symbols) -> "_Parser":
    upright = ("{", "d", "}")
    declared = (item.base + item.subscript + item.superscript for item in symbols.declared)
    tokens = statement_tokens(
        latex,
        upright=any(
            texts[n] == r"\mathrm" and texts[n + 1 : n + 4] == upright
            for texts in declared
            for n in range(len(texts))
        ),
    )
    return _Parser(Cursor(tokens, len(latex)), symbols)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Expansion:
    """A function that is being expanded: what its letters stand for."""

    arguments: Mapping[tuple[str, ...], Expression]
    indices: Mapping[str, str]
    suffix: str


class _Parser:
    """One method for each rule of the grammar above."""

    def __init__(self, cursor: Cursor, symbols: Symbols) -> None:
        self.cursor = cursor
        self.symbols = symbols
        self._origin = 1  # the number that names the first entry
        self._based: int | None = None  # the same, once the statement has shown it
        self._bars = 0  # how many |…| are open
        self._norms = 0
        self._bare = (-1, "")  # where an argument without brackets ended, and of what
        self._expansion: _Expansion | None = None
        self._expanded = 0

    # Displays and statements

    def display(self) -> tuple[Chain, ...]:
        """Read statements up to the end."""
        cursor = self.cursor
        chains: list[Chain] = []
        while True:
            chains += self.statement(lambda parser: parser.one_statement())
            if not cursor.text:
                return tuple(chains)
            if cursor.text not in {",", r"\quad"}:
                raise self._unexpected()
            while cursor.accept(",", r"\quad"):
                pass

    def statement(self, read: "Callable[[_Parser], _Read]") -> _Read:
        """Read something twice if it turns out to count from 0."""
        at, functions = self.cursor.at, self.symbols
        self._origin, self._based = 1, None
        result = read(self)
        if self._based == 0:
            self.cursor.at, self.symbols, self._origin = at, functions, 0
            result = read(self)
        return result

    def _count_from(self, base: int, position: int) -> None:
        """Note that the statement counts from 0, or from 1."""
        if self._based not in {None, base}:
            raise self.cursor.error("indices count from 0 here and from 1 elsewhere", position)
        self._based = base

    def one_statement(self) -> list[Chain]:
        """Read a definition, a membership, or a chain with its ranges."""
        if self._define():
            return []
        if self._is_membership():
            return self._membership()
        chain = self.chain()
        restrictions = self._ranges(chain)
        for restriction in reversed(restrictions):
            terms = tuple(
                Restricted(condition=restriction, body=term, span=term.span) for term in chain.terms
            )
            chain = replace(chain, terms=terms)
        return [chain]

    def whole_sum(self) -> Expression:
        """Read a sum that is all there is."""
        expression = self.sum()
        if self.cursor.text:
            raise self._unexpected()
        return expression

    def _unexpected(self) -> LatexError:
        cursor = self.cursor
        name = self._name_here()
        if name in _REMEDIES:
            return cursor.error(f"{name}: {_REMEDIES[name]}")
        return cursor.error(f"{cursor.text} is not expected here")

    def chain(self) -> Chain:
        """Read terms with relations between them."""
        cursor = self.cursor
        start = cursor.start
        terms, relations = [self.sum()], []
        while relation := cursor.accept(*RELATIONS):
            terms.append(self.sum())
            if relation.text == r"\leftarrow":
                self._check_assignment(terms, relation.start)
            relations.append("=" if relation.text == r"\leftarrow" else relation.text)
        if not relations:
            if cursor.text:
                raise self._unexpected()
            raise cursor.error("a relation, such as =, is missing")
        filled = _fill_sides(terms)
        self._check_ones(filled)
        return Chain(terms=filled, relations=tuple(relations), span=(start, cursor.end))

    def _check_assignment(self, terms: list[Expression], position: int) -> None:
        left, right = terms[-2:]
        changed = {node.symbol for node in walk(left) if isinstance(node, Reference)}
        for node in walk(right):
            if isinstance(node, Reference) and node.symbol in changed and node.symbol:
                message = f"{node.symbol} stands for its old and its new value: give each a symbol"
                raise self.cursor.error(message, position)

    def _check_ones(self, terms: tuple[Expression, ...]) -> None:
        for node in walk(*terms):
            if isinstance(node, Ones) and not node.dimension:
                message = r"how long is this vector of ones? Write \mathbf{1}_T"
                raise self.cursor.error(message, node.span[0])

    # Definitions of functions

    def _define(self) -> bool:
        r"""Read `f(x, y) = body` or `f(z)_i = body` if that is what stands here."""
        cursor, at = self.cursor, self.cursor.at
        name = self._new_name()
        parameters = self._parameters() if name else ()
        if not parameters:
            cursor.at = at
            return False
        subscript, superscript = cursor.scripts()
        if superscript or cursor.text != "=":
            cursor.at = at
            return False
        indices = cursor.texts(subscript)
        if not all(len(index) == 1 and index.islower() for index in indices):
            raise cursor.error("the indices of a function's result are letters")
        cursor.take()
        first = cursor.at
        self._skip_to({",", r"\quad"})
        body = cursor.tokens[first : cursor.at]
        if not body:
            raise cursor.error("the right side is missing")
        for token in body:
            if token.text in RELATIONS and token.text == "=" and not self._inside(body, token):
                raise cursor.error("a definition has one right side", token.start)
        function = Function(name=name, parameters=parameters, indices=indices, body=body)
        functions = (*self.symbols.functions, function)
        self.symbols = replace(self.symbols, functions=functions)
        return True

    @staticmethod
    def _inside(tokens: tuple[object, ...], token: object) -> bool:
        """Whether a token stands in brackets."""
        depth = 0
        for other in tokens:
            text = getattr(other, "text", "")
            if other is token:
                return depth > 0
            depth += (text in _OPENS) - (text in _CLOSES or text == r"\end")
        return False

    def _skip_to(self, stops: set[str]) -> None:
        """Go to the first of some tokens that is in no bracket."""
        cursor, depth = self.cursor, 0
        while cursor.text and (depth or cursor.text not in stops):
            text = cursor.take().text
            depth += (text in _OPENS) - (text in _CLOSES or text == r"\end")

    def _new_name(self) -> tuple[str, ...]:
        """Take the name of a function that has no meaning yet."""
        cursor, at = self.cursor, self.cursor.at
        if self.symbols.matching(cursor) or self._user_function():
            return ()
        if cursor.text in STYLES:
            cursor.take()
            first, stop = cursor.skip_group()
            letters = "".join(cursor.texts((first, stop)))
            return () if letters in _KNOWN | _ALIASES.keys() else cursor.texts((at, cursor.at))
        greek = cursor.text[:1] == "\\" and cursor.text in {r"\phi", r"\varphi", r"\psi", r"\rho"}
        if greek or (len(cursor.text) == 1 and cursor.text.isalpha()):
            return (cursor.take().text,)
        return ()

    def _parameters(self) -> tuple[tuple[str, ...], ...]:
        """Read `(x, y)`; nothing if anything else stands here."""
        cursor = self.cursor
        if not cursor.accept("("):
            return ()
        parameters: list[tuple[str, ...]] = []
        while True:
            first = cursor.at
            if cursor.text in STYLES | ACCENTS:
                cursor.take()
                cursor.skip_group()
            elif len(cursor.text) == 1 and cursor.text.isalpha():
                cursor.take()
            else:
                return ()
            parameters.append(cursor.texts((first, cursor.at)))
            if cursor.accept(")"):
                return tuple(parameters)
            if not cursor.accept(","):
                return ()

    def _user_function(self) -> Function | None:
        """The function of the page whose name stands here, with a bracket after it."""
        cursor = self.cursor
        for function in self.symbols.functions:
            if stands_here(cursor, function.name) and cursor.ahead(len(function.name)) == "(":
                return function
        return None

    def _expand(self, function: Function) -> Expression:
        """Read a function's arguments, then its body with these in it."""
        cursor, start = self.cursor, self.cursor.start
        self._expanded += 1
        if self._expanded > _LARGEST:
            raise cursor.error("too many functions of functions")
        cursor.at += len(function.name)
        arguments = self._arguments()
        if len(arguments) != len(function.parameters):
            message = f"this function takes {len(function.parameters)} arguments"
            raise cursor.error(message, start)
        if cursor.text == "^":
            raise cursor.error("does this belong to the function or to its argument? Use brackets")
        suffix = f"#{self._expanded}"
        indices = {index: index + suffix for index in function.indices}
        given: tuple[str, ...] = ()
        if function.indices and cursor.text == "_":
            subscript, superscript = cursor.scripts()
            given = self._letters(subscript)
            if superscript or len(given) != len(function.indices):
                message = f"the result has {len(function.indices)} indices, each a letter"
                raise cursor.error(message, start)
            indices = dict(zip(function.indices, given, strict=True))
        span = (start, cursor.end)
        expansion = _Expansion(
            arguments=dict(zip(function.parameters, arguments, strict=True)),
            indices=indices,
            suffix=suffix,
        )
        body = self._body(function, expansion, span)
        if function.indices and not given:
            return Array(body=body, indices=tuple(indices.values()), span=span)
        return body

    def _body(self, function: Function, expansion: _Expansion, span: Range) -> Expression:
        """Read the body of a function; every node in it stands where the function is used."""
        tokens = tuple(replace(token, start=span[0], end=span[1]) for token in function.body)
        outer = self.cursor, self._expansion, self._bars, self._norms, self._bare
        self.cursor = outer[0].inner(tokens, span[0])
        self._expansion, self._bars, self._norms, self._bare = expansion, 0, 0, (-1, "")
        try:
            body = self.whole_sum()
        except LatexError as error:
            message = f"in the definition of {''.join(function.name)}: {error.message}"
            raise LatexError(message, span[0]) from error
        self.cursor, self._expansion, self._bars, self._norms, self._bare = outer
        return _spanning(body, span)

    # Memberships

    def _is_membership(self) -> bool:
        r"""Whether `\in` comes before any relation."""
        cursor = self.cursor
        for token in cursor.tokens[cursor.at : cursor.stop]:
            if token.text == r"\in":
                return not self._is_range()
            if token.text in {*RELATIONS, r"\quad", r"\forall", "(", r"\begin", r"\sum"}:
                return False
        return False

    def _membership(self) -> list[Chain]:
        r"""Read `X, Y \in \mathbb{R}^{T \times d}`."""
        cursor, start = self.cursor, self.cursor.start
        names: list[Reference] = []
        while True:
            at = cursor.start
            reference = self._varied()
            if reference.indices:
                raise cursor.error("a symbol without indices is expected", at)
            names.append(reference)
            if not cursor.accept(","):
                break
        cursor.expect(r"\in")
        at = cursor.start
        if cursor.text not in {r"\mathbb", r"\mathbf"} or cursor.ahead(2) != "R":
            raise cursor.error(r"\mathbb{R} with the sizes as a power is expected")
        cursor.at += 4
        _, superscript = cursor.scripts()
        sizes = cursor.within(superscript, self._sizes) if superscript else []
        return [chain for name in names for chain in self._extents(name, sizes, (start, at))]

    def _sizes(self) -> list[Expression]:
        sizes = [self._size()]
        while self.cursor.accept(r"\times"):
            sizes.append(self._size())
        return sizes

    def _size(self) -> Expression:
        """Read one size: factors side by side."""
        start = self.cursor.start
        factors = [self.factor()]
        while self.starts_factor():
            factors.append(self.factor())
        return _product(factors, (start, self.cursor.end))

    def _extents(self, name: Reference, sizes: list[Expression], span: Range) -> list[Chain]:
        if len(sizes) != len(name.axes):
            axes = ", ".join(name.axes) or "a number"
            message = f"{name.symbol} is declared ({axes}), and here it has {len(sizes)} axes"
            raise self.cursor.error(message, span[1])
        count: tuple[Expression, Expression] = (
            Extent(symbol=name.symbol, axis=None, span=name.span),
            Number(text=str(len(sizes)), span=name.span),
        )
        each = [
            (Extent(symbol=name.symbol, axis=axis, span=name.span), size)
            for axis, size in enumerate(sizes)
        ]
        return [Chain(terms=pair, relations=("=",), span=span) for pair in (count, *each)]

    # Ranges: for which values of its free indices a chain holds

    def _ranges(self, chain: Chain) -> list[Condition | Interval]:
        r"""Read what may follow a chain: `\quad t \ge 2`, `\forall t`, `(t = 1, \dots, T)`."""
        cursor = self.cursor
        found: list[Condition | Interval] = []
        free = {node.index for node in walk(*chain.terms) if isinstance(node, Position)}
        for node in walk(*chain.terms):
            free |= set(node.indices) if isinstance(node, Reference) else set()
        while True:
            at = cursor.at
            while cursor.accept(",", r"\quad"):
                pass
            if not self._is_range():
                cursor.at = at
                return found
            start = cursor.start
            said = self._for_all()
            bracket = cursor.accept("(")
            while True:
                index, restriction = self._range(said=said)
                if index not in free:
                    raise cursor.error(f"no term has a free index {index}", start)
                found += restriction
                again = cursor.at
                more = (said or bracket) and cursor.accept(",") is not None
                if not more or not (self._is_range() or (said and self.is_index())):
                    cursor.at = again
                    break
            if bracket:
                cursor.expect(")")

    def _for_all(self) -> bool:
        r"""Take `\forall` or `\text{for all}`."""
        if self.cursor.accept(r"\forall"):
            self._word(_FOR_ALL)
            return True
        return self._word(_FOR_ALL)

    def _is_range(self) -> bool:
        r"""Whether `\forall`, or an index with a comparison, stands here."""
        cursor, at = self.cursor, self.cursor.at
        said = self._for_all()
        bracket = cursor.accept("(") is not None
        found = said
        if self.is_index():
            self.index()
            closed = cursor.text in _AFTER_RANGE and said
            found = closed or cursor.text in {*COMPARISONS, r"\in"}
        elif cursor.text.isdigit() and cursor.ahead() in {r"\le", "<"}:
            found = self._is_double()
        elif said:
            found = True
        elif bracket:
            found = False
        cursor.at = at
        return found

    def _is_double(self) -> bool:
        cursor, at = self.cursor, self.cursor.at
        cursor.at += 2
        found = self.is_index()
        cursor.at = at
        return found

    def _range(self, *, said: bool) -> tuple[str, list[Condition | Interval]]:
        """Read what one index runs over."""
        cursor, start = self.cursor, self.cursor.start
        if cursor.text.isdigit():
            return self._double_range()
        index = self.index()
        if cursor.text == "=":
            at = cursor.at
            cursor.take()
            lower = self._limit()
            if cursor.accept(","):
                return index, [self._dotted(index, lower, start)]
            cursor.at = at
        if cursor.accept(r"\in"):
            cursor.expect(r"\{")
            lower = self._limit()
            cursor.expect(",")
            interval = self._dotted(index, lower, start)
            cursor.expect(r"\}")
            return index, [interval]
        if cursor.text in COMPARISONS:
            position = Position(index=index, origin=self._origin, span=(start, cursor.end))
            return index, [self._comparison(position, start, place=True)]
        if not said:
            raise cursor.error("a comparison is expected")
        return index, []

    def _double_range(self) -> tuple[str, list[Condition | Interval]]:
        r"""Read `1 \le t \le T`, with < for either of them."""
        start = self.cursor.start
        lower = self._limit()
        first = self.cursor.accept(r"\le", "<")
        at = self.cursor.start
        index = self.index()
        position = Position(index=index, origin=self._origin, span=(at, self.cursor.end))
        if first is None:
            raise self.cursor.error(r"\le is expected")
        span = (start, self.cursor.end)
        found: list[Condition | Interval] = [
            Condition(left=lower, relation=first.text, right=position, span=span)
        ]
        if self.cursor.text in {r"\le", "<"}:
            found.append(self._comparison(position, at, place=True))
        return index, found

    def _dotted(self, index: str, lower: Expression, start: int) -> Interval:
        r"""Read the rest of `1, \dots, T`; `1, 2, \dots, T` will do as well."""
        cursor = self.cursor
        if cursor.text.isdigit():
            cursor.take()
            cursor.expect(",")
        cursor.expect(r"\dots")
        cursor.expect(",")
        upper = self._limit()
        span = (start, cursor.end)
        return Interval(index=index, lower=lower, upper=upper, origin=self._origin, span=span)

    def _limit(self) -> Expression:
        """Read a limit, and whether it shows from where indices count."""
        start = self.cursor.start
        limit = self.place()
        if isinstance(limit, Number) and limit.text in {"0", "1"}:
            self._count_from(int(limit.text), start)
        return limit

    # Sums and products

    def sum(self) -> Expression:
        """Read products with + and - before and between them."""
        cursor = self.cursor
        start = cursor.start
        with cursor.deeper():
            terms = [self._signed(cursor.accept("-") is not None, start)]
            while sign := cursor.accept("+", "-"):
                terms.append(self._signed(sign.text == "-", sign.start))
        terms = list(_fill_sides(terms))
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
        factors = _fill_sides(groups)
        return Hadamard(factors=factors, span=(start, self.cursor.end))

    def _group(self) -> tuple[Expression, bool]:
        r"""Read factors up to an `\odot`, and whether it was one, or numbers times one array."""
        cursor = self.cursor
        start = cursor.start
        factors = [self.factor()]
        while True:
            if self.starts_factor() or cursor.text in {"/", *_TIMES, r"\odot"}:
                self._check_beside()
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
                alone = len(factors) == 1 or sum(map(bool, map(_open_axes, factors))) == 1
                return _product(factors, (start, cursor.end)), alone

    def _check_beside(self) -> None:
        """Refuse anything beside an argument without brackets."""
        at, name = self._bare
        if at == self.cursor.at:
            raise self.cursor.error(f"bracket the argument of {name}: where does it end?")

    def starts_factor(self) -> bool:
        """Whether what comes next can begin a factor."""
        text = self.cursor.text
        if text == "|":
            return not self._bars
        if text == r"\|":
            return not self._norms
        command = len(text) > 1 and text[0] == "\\" and text not in _NO_FACTOR
        return command or text in _OPENING or text[:1].isalnum() or (
            text[:1] == "." and len(text) > 1
        )  # fmt: skip

    # Factors

    def factor(self) -> Expression:
        """Read one factor, with its power."""
        with self.cursor.deeper():
            return self._factor()

    def _factor(self) -> Expression:
        cursor, text = self.cursor, self.cursor.text
        if function := self._user_function():
            return self._expand(function)
        if self._parameter() or self.symbols.matching(cursor):
            reference, superscript = self._symbol()
            return self._powered(reference, superscript)
        if text in _OPENING:
            return self._bracketed()
        if text[:1].isdigit() or (text[:1] == "." and len(text) > 1) or text in _CONSTANTS:
            token = cursor.take()
            span = (token.start, token.end)
            if text in _CONSTANTS:
                return self._raised(Constant(name=_CONSTANTS[text], span=span))
            return self._raised(Number(text=text, span=span))
        return self._command()

    def _command(self) -> Expression:
        """Read a fraction, a function or whatever else begins with a command."""
        cursor, text = self.cursor, self.cursor.text
        special = {
            r"\frac": self._fraction,
            r"\sqrt": self._root,
            r"\delta": self._delta,
            r"\begin": self._cases,
            r"\sum": self._big,
            r"\prod": self._big,
            r"\nabla": self._gradient,
        }
        if text in special:
            return special[text]()
        if text in {r"\mathbb", r"\mathbf", r"\boldsymbol"} and cursor.ahead(2) in {"1", "I"}:
            return self._one()
        start = cursor.start
        if name := self._function_name():
            if name in REDUCTIONS:
                return self._reduced(name, start, big=False)
            return self._function(name, start)
        raise self._undeclared()

    def _undeclared(self) -> LatexError:
        """What is wrong with a factor that means nothing."""
        cursor, text = self.cursor, self.cursor.text
        name = self._name_here()
        if name in _REMEDIES:
            return cursor.error(f"{name}: {_REMEDIES[name]}")
        if text in {"|", r"\|"}:
            return cursor.error(r"a factor is expected, not |; a norm is \|x\|")
        if self.starts_factor():
            if text == "d":
                name = self._differential_name()
            return cursor.error(f"{name} is not declared: no row of the symbols lists it")
        return cursor.error(f"a factor is expected, not {text}" if text else "a factor is missing")

    def _name_here(self) -> str:
        r"""What stands here as an author would call it: `\hat{X}`, `\text{std}`, `W`."""
        cursor, at = self.cursor, self.cursor.at
        name = cursor.text
        if name in STYLES | ACCENTS and cursor.ahead() == "{":
            cursor.take()
            first, stop = cursor.skip_group()
            name += f"{{{''.join(cursor.texts((first, stop)))}}}"
            cursor.at = at
        return name

    def _differential_name(self) -> str:
        """The name of the symbol that a d and what follows it would be."""
        cursor, at = self.cursor, self.cursor.at
        cursor.take()
        found = self.symbols.matching(cursor)
        name = "d" + (found[0].latex if found else self._name_here())
        cursor.at = at
        return name

    # Symbols and their indices

    def _parameter(self) -> tuple[str, ...]:
        """The parameter of a function that is being expanded which stands here, if one does."""
        arguments = self._expansion.arguments if self._expansion else {}
        found = [base for base in arguments if stands_here(self.cursor, base)]
        longest = max(found, key=len, default=())
        symbols = self.symbols.matching(self.cursor)
        return longest if not symbols or len(longest) >= len(symbols[0].base) else ()

    def _symbol(self) -> tuple[Expression, Range | None]:
        """Read a symbol with its indices; returns the superscript if it is not the symbol's own."""
        cursor, start = self.cursor, self.cursor.start
        base = self._parameter()
        if base:
            assert self._expansion is not None  # noqa: S101 - it has the parameter
            cursor.at += len(base)
            argument = self._expansion.arguments[base]
            subscript, superscript = cursor.scripts()
            if subscript:
                argument = self._element(argument, subscript, start)
            return argument, superscript
        found = self.symbols.matching(cursor)
        if not found:
            raise self._undeclared()
        with cursor.deeper():
            return self._declared(found)

    def _declared(self, found: tuple[Symbol, ...]) -> tuple[Expression, Range | None]:
        cursor, start = self.cursor, self.cursor.start
        cursor.at += len(found[0].base)
        self._check_differential(found, start)
        subscript, superscript = cursor.scripts()
        symbol = fitting(cursor, found, subscript, superscript)
        if not symbol:
            names = ", ".join(symbol.latex for symbol in found)
            raise cursor.error(f"the symbol declared is {names}", start)
        reference = self._indexed(symbol, subscript, start)
        return reference, None if symbol.superscript else superscript

    def _check_differential(self, found: tuple[Symbol, ...], start: int) -> None:
        r"""Refuse to read `d\beta` as a product if no row lists it."""
        cursor = self.cursor
        beside = bool(cursor.text) and not cursor.token.apart
        if found[0].base == ("d",) and beside and self.symbols.matching(cursor):
            cursor.at -= 1
            name = self._differential_name()
            message = f"{name} is not declared: no row of the symbols lists it"
            raise cursor.error(rf"{message}. (d times {name[1:]} is d \cdot {name[1:]})", start)

    def _indexed(self, symbol: Symbol, subscript: Range | None, start: int) -> Expression:
        """A symbol with the places in its subscript, after those tokens that are its own."""
        cursor = self.cursor
        places: list[Expression] = []
        if subscript and subscript[1] > subscript[0] + len(symbol.subscript):
            rest = (subscript[0] + len(symbol.subscript), subscript[1])
            if (
                symbol.subscript
                and cursor.tokens[rest[0]].text != ","
                and not cursor.tokens[rest[0]].text.islower()
            ):
                raise cursor.error(f"the symbol declared is {symbol.latex}", start)
            places = cursor.within(rest, lambda: self._places(len(symbol.axes)))
        implicit = self._implicit(symbol, places, start)
        span = (start, cursor.end)
        simple = all(isinstance(place, Position | Colon) for place in places)
        given = tuple(place.index if isinstance(place, Position) else ":" for place in places)
        rest_axes = len(symbol.axes) - implicit - len(given)
        indices = (*given, *[":"] * rest_axes)
        whole = not simple or set(indices) == {":"}
        reference = Reference(
            symbol=symbol.latex,
            axes=symbol.axes,
            implicit=implicit,
            indices=() if whole else indices,
            span=span,
        )
        return reference if simple else self._at_places(reference, places, span)

    def _implicit(self, symbol: Symbol, places: list[Expression], start: int) -> int:
        """How many batch axes are left out: all, unless the first index is that of one."""
        batch = sum(name in self.symbols.batch for name in symbol.axes)
        count = len(symbol.axes)
        if len(places) > count or (places and not count):
            axes = f"axes ({', '.join(symbol.axes)})" if count else "no axes"
            found = ", ".join(_shown(place) for place in places)
            message = f"{symbol.latex} has {axes}, and here the indices {found}"
            raise self.cursor.error(message, start)
        first = places[0] if places else None
        named = isinstance(first, Position) and first.index[0] == symbol.axes[0].lower()
        if len(places) in {0, count} or not batch:
            return 0 if len(places) == count and places else batch
        if len(places) > count - batch and not named:
            axes = ", ".join(symbol.axes)
            message = f"{symbol.latex} has axes ({axes}): give all indices, or none of the batch's"
            raise self.cursor.error(message, start)
        return 0 if named else batch

    def _at_places(self, operand: Expression, places: list[Expression], span: Range) -> Element:
        bases = tuple(
            0 if isinstance(place, Position | Colon) or self._is_data(place) else self._origin
            for place in places
        )
        return Element(operand=operand, places=tuple(places), origins=bases, span=span)

    def _element(self, operand: Expression, subscript: Range, start: int) -> Expression:
        """Read the places of what is not a symbol: `(X W)_{ti}`."""
        axes = _open_axes(operand)
        places = self.cursor.within(subscript, lambda: self._places(len(axes)))
        if len(places) > len(axes):
            message = f"this has {len(axes)} axes without an index, and here {len(places)} places"
            raise self.cursor.error(message, start)
        return self._at_places(operand, places, (start, self.cursor.end))

    def _letters(self, subscript: Range | None) -> tuple[str, ...]:
        """Read a subscript as index letters only."""
        if subscript is None:
            return ()
        places = self.cursor.within(subscript, lambda: self._places(0))
        letters = [place.index for place in places if isinstance(place, Position)]
        if len(letters) < len(places):
            raise self.cursor.error("an index letter is expected", places[0].span[0])
        return tuple(letters)

    def _places(self, count: int) -> list[Expression]:
        """Read places up to the end; letters and numbers need no commas between them."""
        cursor = self.cursor
        places: list[Expression] = []
        cursor.accept(",")
        while cursor.text:
            end = self._segment_end()
            texts = cursor.texts((cursor.at, end))
            if {"+", "-", "/", "(", *_TIMES, r"\lfloor"} & set(_outer(texts)):
                places.append(cursor.within((cursor.at, end), self.place))
                cursor.at = end
            else:
                while cursor.at < end:
                    places.append(self._place_atom(alone=count == 1))
            if cursor.text and not cursor.accept(","):
                raise self._unexpected()
        return places

    def _segment_end(self) -> int:
        """Where the next comma is that is in no bracket."""
        cursor, depth = self.cursor, 0
        for at in range(cursor.at, cursor.stop):
            text = cursor.tokens[at].text
            if text == "," and not depth:
                return at
            depth += (text in _OPENS) - (text in _CLOSES)
        return cursor.stop

    def _place_atom(self, *, alone: bool = False, within: bool = False) -> Expression:
        """Read one letter, number or symbol as a place."""
        cursor, start, text = self.cursor, self.cursor.start, self.cursor.text
        if text == ":" and not within:
            cursor.take()
            return Colon(span=(start, cursor.end))
        if self.is_index():
            index = self.index()
            base = self._origin if within else 0
            return Position(index=index, origin=base, span=(start, cursor.end))
        if text.isdigit():
            if len(text) > 1 and not (alone or within):
                raise cursor.error(f"{text}: put commas between indices")
            cursor.take()
            if not within and text == "0":
                self._count_from(0, start)
            return Number(text=text, span=(start, cursor.end))
        if self._parameter() or self.symbols.matching(cursor):
            value, superscript = self._symbol()
            if superscript:
                raise cursor.error("a power cannot stand here", start)
            if _open_axes(value):
                message = f"{text} has a meaning and cannot be an index"
                raise cursor.error(f"{message}; give it one itself: {text}_i", start)
            return value
        if not text:
            raise cursor.error("an index is missing")
        raise cursor.error(
            f"{text} has a meaning and cannot be an index"
            if text == "e"
            else f"an index is a lower-case letter, not {text}"
        )

    def place(self) -> Expression:
        """Read a sum of places: `t - 1`, `h k + c`."""
        cursor, start = self.cursor, self.cursor.start
        with cursor.deeper():
            terms: list[Expression] = []
            negative = cursor.accept("-") is not None
            while True:
                at = cursor.start
                term = self._place_product()
                span = (at, cursor.end)
                terms.append(Negate(operand=term, span=span) if negative else term)
                sign = cursor.accept("+", "-")
                if sign is None:
                    break
                negative = sign.text == "-"
        if len(terms) == 1:
            return terms[0]
        result = Add(terms=tuple(terms), span=(start, cursor.end))
        if self._is_data(result):
            message = "an index is computed from indices, numbers and dimensions, not from values"
            raise cursor.error(message, start)
        return result

    def _place_product(self) -> Expression:
        cursor, start = self.cursor, self.cursor.start
        factors = [self._place_factor()]
        while cursor.text:
            if cursor.accept("/"):
                below = self._place_factor()
                divided = _product(factors, (start, cursor.end))
                span = (start, cursor.end)
                factors = [Fraction(numerator=divided, denominator=below, span=span)]
            elif cursor.accept(*_TIMES) or self._starts_place():
                factors.append(self._place_factor())
            else:
                break
        letters = [factor for factor in factors if isinstance(factor, Position)]
        if len(letters) > 1:
            raise cursor.error("put a comma between two indices", letters[1].span[0])
        if len(factors) > 1:
            if any(isinstance(factor, Add) for factor in factors):
                self._count_from(1, start)
            elif letters:
                self._count_from(0, start)
        return _product(factors, (start, cursor.end))

    def _starts_place(self) -> bool:
        text = self.cursor.text
        letter = text not in {"", "e"} and (text[0].isalnum() or text in {"(", r"\lfloor"})
        return letter or bool(text and self.symbols.matching(self.cursor))

    def _place_factor(self) -> Expression:
        cursor, start = self.cursor, self.cursor.start
        if cursor.accept("("):
            inside = self.place()
            cursor.expect(")")
            return inside
        if cursor.accept(r"\lfloor"):
            inside = self.place()
            cursor.expect(r"\rfloor")
            if any(isinstance(node, Position) for node in walk(inside)):
                self._count_from(0, start)
            return Call(function="floor", argument=inside, span=(start, cursor.end))
        return self._place_atom(within=True)

    def _is_data(self, node: Expression) -> bool:
        """Whether a symbol that is not a dimension stands in a place."""
        dimensions = self.symbols.dimensions
        return any(
            isinstance(item, Reference) and (item.axes or item.symbol not in dimensions)
            for item in walk(node)
        )

    def is_index(self) -> bool:
        """Whether a letter stands here that can be an index: lower case, no symbol, and not e."""
        text = self.cursor.text
        letter = len(text) == 1 and text.isascii() and text.islower() and text != "e"
        if not letter or self._parameter():
            return False
        return not any(symbol.base == (text,) for symbol in self.symbols.declared)

    def index(self) -> str:
        """Read one index letter, which may have primes."""
        cursor = self.cursor
        if not self.is_index():
            text = cursor.token.text
            if len(text) == 1 and text.isalpha():
                raise cursor.error(f"{text} has a meaning and cannot be an index")
            raise cursor.error(f"an index is a lower-case letter, not {text}")
        name = cursor.take().text
        while cursor.accept("'"):
            name += "'"
        if self._expansion is None:
            return name
        return self._expansion.indices.get(name, name + self._expansion.suffix)

    # Brackets and scripts

    def _bracketed(self) -> Expression:
        cursor, start = self.cursor, self.cursor.start
        if cursor.text == "[" and self._has_comparison():
            return self._indicator(start)
        return self._raised(self.bracket(), start)

    def bracket(self) -> Expression:
        """Read brackets, or bars, and what is in them."""
        cursor, text = self.cursor, self.cursor.text
        if text in {"|", r"\lvert"}:
            start = cursor.start
            inside = self._between(text, "|" if text == "|" else r"\rvert", "_bars")
            return Absolute(operand=inside, span=(start, cursor.end))
        if text in {r"\|", r"\lVert"}:
            return self._norm(text)
        if text in {r"\lfloor", r"\lceil"}:
            return self._rounded()
        if text == r"\langle":
            return self._inner()
        opening = cursor.take()
        bars, norms = self._bars, self._norms
        self._bars = self._norms = 0
        inside = self.sum()
        self._bars, self._norms = bars, norms
        if opening.text == "{":
            cursor.expect("}")
        else:
            self._close(opening.text, stretched=opening.stretched)
        return inside

    def _between(self, opening: str, closing: str, counter: str) -> Expression:
        """Read what stands between bars, of which one may look like the other."""
        self.cursor.take()
        before = getattr(self, counter)
        setattr(self, counter, int(opening == closing))
        inside = self.sum()
        setattr(self, counter, before)
        self.cursor.expect(closing)
        return inside

    def _norm(self, opening: str) -> Expression:
        r"""Read `\|x\|`, `\|x\|_1`, `\|A\|_F`; a power is read by the caller."""
        cursor, start = self.cursor, self.cursor.start
        closing = opening if opening == r"\|" else r"\rVert"
        inside = self._between(opening, closing, "_norms")
        kind = "2"
        if cursor.text == "_":
            cursor.take()
            kind = "".join(cursor.texts(cursor.skip_group())).removeprefix("\\")
            if kind not in {"1", "2", "infty", "F"}:
                raise cursor.error("the norms are 1, 2, \\infty and, of a matrix, F", start)
        axes = _open_axes(inside)
        if len(axes) > 1 and kind != "F":
            message = r"the norm of a matrix: write \|A\|_F for the Frobenius norm"
            raise cursor.error(message, start)
        return Norm(kind=kind, operand=inside, span=(start, cursor.end))

    def _rounded(self) -> Expression:
        cursor, opening = self.cursor, self.cursor.take()
        floor = opening.text == r"\lfloor"
        inside = self.sum()
        cursor.expect(r"\rfloor" if floor else r"\rceil")
        function = "floor" if floor else "ceil"
        return Call(function=function, argument=inside, span=(opening.start, cursor.end))

    def _inner(self) -> Expression:
        cursor, start = self.cursor, self.cursor.take().start
        left = self.sum()
        cursor.expect(",")
        right = self.sum()
        cursor.expect(r"\rangle")
        if cursor.text == "_":
            cursor.take()
            if cursor.texts(cursor.skip_group()) != ("F",):
                raise cursor.error("an inner product has no index but F", start)
        return Inner(left=left, right=right, span=(start, cursor.end))

    def _has_comparison(self) -> bool:
        """Whether there is a comparison in the bracket that opens here."""
        cursor, depth = self.cursor, 0
        for token in cursor.tokens[cursor.at : cursor.stop]:
            depth += (token.text in {"[", "(", "{", r"\{"}) - (token.text in {"]", ")", "}", r"\}"})
            if depth == 0:
                return False
            if depth == 1 and token.text in COMPARISONS:
                return True
        return False

    def _close(self, opening: str, *, stretched: bool) -> None:
        r"""Take the bracket that closes another; `\left` needs `\right`."""
        closing = next(close for close, text in _CLOSING.items() if text == opening)
        if self.cursor.text == closing and self.cursor.token.stretched != stretched:
            raise self.cursor.error(r"\left and \right belong together")
        self.cursor.expect(closing)

    def _raised(self, base: Expression, start: int | None = None) -> Expression:
        """Read the indices and the power of what has just been read, if there are any."""
        subscript, superscript = self.cursor.scripts()
        if subscript:
            first = base.span[0] if start is None else start
            if not _open_axes(base):
                message = "only a symbol has indices, or what has axes without them"
                raise self.cursor.error(message, base.span[0])
            base, start = self._element(base, subscript, first), first
        return self._powered(base, superscript, start)

    def _powered(
        self, base: Expression, superscript: Range | None, start: int | None = None
    ) -> Expression:
        if superscript is None:
            return base
        cursor = self.cursor
        span = (base.span[0] if start is None else start, cursor.end)
        texts = cursor.texts(superscript)
        axes = _open_axes(base)
        inverse = texts[:2] == ("-", "1") and len(axes) > 1
        if texts in {(r"\top",), ("-", r"\top")} or (texts == ("T",) and axes):
            if isinstance(base, Reference) and base.indices and not axes:
                raise cursor.error("what has indices cannot be transposed", span[0])
            if texts[0] == "-":
                base = Inverse(operand=base, span=span)
            return Transpose(operand=base, span=span)
        if inverse and len(texts) == 2:  # noqa: PLR2004 - ^{-1}
            return Inverse(operand=base, span=span)
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

    # Fractions, roots, derivatives, Kronecker's delta

    def _fraction(self) -> Expression:
        cursor, start = self.cursor, self.cursor.take().start
        if cursor.text == "{" and cursor.ahead() == r"\partial":
            of = cursor.within(self._argument_range(), self._differential)
            wrt = cursor.within(self._argument_range(), self._differential)
            fraction: Expression = Derivative(of=of, wrt=wrt, span=(start, cursor.end))
            if cursor.text == "^" and cursor.ahead(2) != r"\top" and cursor.ahead() != r"\top":
                raise cursor.error("bracket the fraction before a script")
            return self._raised(fraction) if _open_axes(fraction) else fraction
        above, below = self._argument(), self._argument()
        if cursor.text in {"^", "_"}:
            raise cursor.error("bracket the fraction before a script")
        return Fraction(numerator=above, denominator=below, span=(start, cursor.end))

    def _differential(self) -> Reference:
        self.cursor.expect(r"\partial")
        return self._varied()

    def _varied(self) -> Reference:
        """Read the symbol of a derivative."""
        cursor, start = self.cursor, self.cursor.start
        reference, superscript = self._symbol()
        if superscript:
            raise cursor.error("a power cannot stand here", start)
        if not isinstance(reference, Reference):
            raise cursor.error("a derivative is of a symbol, with letters for indices", start)
        return reference

    def _gradient(self) -> Expression:
        r"""Read `\nabla_X L`: the derivatives of a number in the shape of X."""
        cursor, start = self.cursor, self.cursor.take().start
        subscript, superscript = cursor.scripts()
        if subscript is None or superscript:
            raise cursor.error(r"the gradient by what? Write \nabla_X L", start)
        wrt = cursor.within(subscript, self._varied)
        of = self._varied()
        if of.axes:
            message = f"a gradient is of a number; {of.symbol} is declared ({', '.join(of.axes)})"
            raise cursor.error(message, start)
        return Derivative(of=of, wrt=wrt, span=(start, cursor.end))

    def _root(self) -> Expression:
        cursor, start = self.cursor, self.cursor.take().start
        degree = None
        if cursor.accept("["):
            degree = self.sum()
            cursor.expect("]")
        radicand = self._argument()
        return self._raised(Root(radicand=radicand, degree=degree, span=(start, cursor.end)))

    def _delta(self) -> Expression:
        r"""Read `\delta_{ij}` or `\delta_{v,y_t}`."""
        cursor, start = self.cursor, self.cursor.take().start
        subscript, superscript = cursor.scripts()
        places = cursor.within(subscript, lambda: self._places(2)) if subscript else []
        if len(places) != 2 or superscript:  # noqa: PLR2004 - a pair
            raise cursor.error(r"\delta is not declared, and Kronecker's has two indices", start)
        span = (start, cursor.end)
        first, second = places
        if isinstance(first, Position) and isinstance(second, Position):
            return Delta(first=first.index, second=second.index, span=span)
        return Indicator(condition=self._compared(first, "=", second, span), span=span)

    # What is made of conditions

    def _one(self) -> Expression:
        r"""Read `\mathbb{1}[…]`, `\mathbb{1}_{…}` or the vector `\mathbf{1}`."""
        cursor, start = self.cursor, self.cursor.start
        cursor.at += 4
        letter = cursor.tokens[cursor.at - 2].text
        if cursor.text in _CLOSING.values() and self._has_comparison():
            return self._indicator(start)
        if cursor.text == "_" and set(COMPARISONS) & set(self._script_texts()):
            subscript, superscript = cursor.scripts()
            if superscript or subscript is None:
                raise cursor.error("an indicator has no power", start)
            bare = cursor.texts(subscript)[0] not in _CLOSING.values()
            read = self.condition if bare else lambda: self._indicator(start).condition
            within = cursor.within(subscript, read)
            return Indicator(condition=within, span=(start, cursor.end))
        if letter == "I":
            raise cursor.error(r"\mathbb{I} is not declared: no row of the symbols lists it", start)
        if cursor.text in _CLOSING.values() and cursor.tokens[cursor.at - 4].text == r"\mathbb":
            return self._indicator(start)
        return self._ones(start)

    def _script_texts(self) -> tuple[str, ...]:
        at = self.cursor.at
        subscript, _ = self.cursor.scripts()
        self.cursor.at = at
        return self.cursor.texts(subscript)

    def _ones(self, start: int) -> Expression:
        cursor = self.cursor
        subscript, superscript = cursor.scripts()
        dimension = "".join(cursor.texts(subscript))
        if dimension and dimension not in self.symbols.dimensions:
            raise cursor.error(f"{dimension} is not a dimension of a symbol", start)
        ones = Ones(dimension=dimension, span=(start, cursor.end))
        if superscript and cursor.texts(superscript) not in {(r"\top",), ("T",)}:
            raise cursor.error("a vector of ones has no power but a transpose", start)
        return Transpose(operand=ones, span=ones.span) if superscript else ones

    def _indicator(self, start: int) -> Indicator:
        """Read a condition in brackets."""
        cursor = self.cursor
        opening = cursor.accept(*_CLOSING.values())
        if opening is None:
            raise cursor.error("a condition in brackets is expected")
        condition = self.condition()
        self._close(opening.text, stretched=opening.stretched)
        return Indicator(condition=condition, span=(start, cursor.end))

    def condition(self) -> Condition:
        """Read two expressions, or places, with a comparison between them."""
        start = self.cursor.start
        place = self._is_place()
        left = self.place() if place else self.sum()
        return self._comparison(left, start, place=place)

    def _comparison(self, left: Expression, start: int, *, place: bool) -> Condition:
        """Read the rest of a condition whose left side has been read."""
        cursor = self.cursor
        relation = cursor.accept(*COMPARISONS)
        if relation is None:
            raise cursor.error("a condition needs a comparison")
        right = self.place() if place or self._is_place() else self.sum()
        return self._compared(left, relation.text, right, (start, cursor.end))

    def _is_place(self) -> bool:
        """Whether an index stands on this side of a condition, outside of any script."""
        cursor, at = self.cursor, self.cursor.at
        depth, found = 0, False
        while cursor.text and not found:
            text = cursor.text
            if depth == 0 and text in {*COMPARISONS, ",", "&", r"\\", r"\end", r"\quad", *_CLOSES}:
                break
            depth += (text in _OPENS) - (text in _CLOSES)
            scripted = cursor.at > at and cursor.tokens[cursor.at - 1].text in {"_", "^"}
            found = depth == 0 and not scripted and self.is_index()
            cursor.at += 1
        cursor.at = at
        return found

    def _compared(
        self, left: Expression, relation: str, right: Expression, span: Range
    ) -> Condition:
        """A condition, in which places count as what stands on the other side does."""
        sides = [left, right]
        places = [_is_position(side) for side in sides]
        if places[0] != places[1]:
            lone, other = (left, right) if places[0] else (right, left)
            if self._is_data(other):
                if not isinstance(lone, Position) or not isinstance(other, Reference | Element):
                    message = "an index can be compared only with an index, a number or a symbol"
                    raise self.cursor.error(message + ", as it is", span[0])
                sides[sides.index(lone)] = replace(lone, origin=0)
            else:
                if isinstance(other, Number) and other.text == "0":
                    self._count_from(0, other.span[0])
                based = _counted(lone, self._origin)
                sides[0 if lone is left else 1] = based
        elif places[0]:
            sides = [_counted(side, self._origin) for side in sides]
        return Condition(left=sides[0], relation=relation, right=sides[1], span=span)

    def _cases(self) -> Cases:
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
            cursor.accept(",", ".")
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
        if "".join(cursor.texts(cursor.skip_group())).strip(",:") in words:
            return True
        cursor.at = at
        return False

    # Functions and reductions

    def _function_name(self) -> str:
        r"""Take the name of a known function or reduction: `\exp`, `\operatorname{mean}`."""
        cursor, at = self.cursor, self.cursor.at
        if cursor.text in STYLES:
            style = cursor.take()
            name = "".join(cursor.texts(cursor.skip_group()))
            name = _ALIASES.get(name, name)
            if name in _KNOWN:
                return name
            cursor.at = at
            if style.text == r"\operatorname" and rf"\operatorname{{{name}}}" not in _REMEDIES:
                raise cursor.error(f"no function {name} is known")
            return ""
        if cursor.text in _GREEK and cursor.ahead() in {"(", "[", r"\{"}:
            return _GREEK[cursor.take().text]
        name = cursor.text[1:] if cursor.text[:1] == "\\" else ""
        name = _ALIASES.get(name, name)
        if name in _KNOWN:
            cursor.take()
            return name
        return ""

    def _function(self, name: str, start: int) -> Expression:
        r"""Read the argument of a function, and what stands before it: `\tanh^2 u`."""
        cursor = self.cursor
        index, power = "", None
        if name == "softmax":
            subscript, superscript = cursor.scripts()
            indices = self._letters(subscript)
            if len(indices) > 1 or superscript:
                raise cursor.error("the softmax has one index: along which axis?", start)
            index = indices[0] if indices else ""
        elif cursor.text == "^" and name not in _MATRIX_FUNCTIONS:
            power = self._power_of(name)
        argument = self._argument_of(name)
        span = (start, cursor.end)
        if name == "softmax":
            return self._softmax(index, argument, span)
        if name in _MATRIX_FUNCTIONS:
            return _MATRIX_FUNCTIONS[name](operand=argument, span=span)
        called = Call(function=name, argument=argument, span=span)
        return Power(base=called, exponent=power, span=span) if power else called

    def _softmax(self, index: str, argument: Expression, span: Range) -> Expression:
        if not index and not _open_axes(argument):
            raise self.cursor.error("the softmax needs an index here: along which axis?", span[0])
        softmax = Softmax(index=index, argument=argument, span=span)
        if self.cursor.text == "_":
            subscript, superscript = self.cursor.scripts()
            if superscript or subscript is None:
                raise self.cursor.error("bracket the softmax before a power", span[0])
            return self._element(softmax, subscript, span[0])
        return softmax

    def _power_of(self, name: str) -> Expression:
        r"""Read the 2 of `\tanh^2 u`."""
        cursor, start = self.cursor, self.cursor.take().start
        first, stop = cursor.skip_group()
        texts = cursor.texts((first, stop))
        if texts == ("-", "1"):
            message = f"the inverse of {name}, or 1 over it? Write the one or the other"
            raise cursor.error(message, start)
        if len(texts) != 1 or not texts[0].isdigit() or len(texts[0]) > 1:
            raise cursor.error(f"{name} takes no script here but a digit", start)
        return Number(text=texts[0], span=(cursor.tokens[first].start, cursor.end))

    def _argument_of(self, name: str) -> Expression:
        cursor = self.cursor
        if cursor.text in {"^", "_"}:
            raise cursor.error(f"{name} takes no script here")
        if cursor.text in _OPENING:
            argument = self.bracket()
            if cursor.text == "^" or (cursor.text == "_" and name != "softmax"):
                raise cursor.error(f"does this belong to {name} or to its argument? Use brackets")
            return argument
        argument = self.factor()
        self._bare = (cursor.at, name)
        return argument

    def _arguments(self) -> list[Expression]:
        """Read what stands in brackets, with commas between."""
        cursor = self.cursor
        opening = cursor.take()
        bars, norms = self._bars, self._norms
        self._bars = self._norms = 0
        arguments = [self.sum()]
        while cursor.accept(","):
            arguments.append(self.sum())
        self._bars, self._norms = bars, norms
        self._close(opening.text, stretched=opening.stretched)
        return arguments

    def _big(self) -> Expression:
        r"""Read `\sum` or `\prod`; it takes all that follows in the product."""
        start = self.cursor.start
        return self._reduced(self.cursor.take().text[1:], start, big=True)

    def _reduced(self, name: str, start: int, *, big: bool) -> Expression:
        cursor = self.cursor
        subscript, superscript = cursor.scripts()
        if name in {"max", "min"} and not (subscript or superscript) and self._has_comma():
            arguments = tuple(self._arguments())
            if cursor.text in {"^", "_"}:
                raise cursor.error(f"does this belong to {name} or to its argument? Use brackets")
            return Extreme(operator=name, arguments=arguments, span=(start, cursor.end))
        indices: tuple[str, ...] = ()
        lower = upper = None
        condition: Condition | None = None
        if subscript:
            indices, lower, upper, condition = cursor.within(subscript, self._under)
        if superscript and upper is None:
            upper = cursor.within(superscript, self.place)
        if (lower is None) != (upper is None):
            raise cursor.error("a sum has both limits or none", start)
        body = self.product() if big else self._argument_of(name)
        return Reduce(
            operator=name,
            indices=indices,
            lower=lower,
            upper=upper,
            condition=condition,
            body=body,
            origin=self._origin,
            span=(start, cursor.end),
        )

    def _has_comma(self) -> bool:
        """Whether the bracket that opens here has several arguments."""
        cursor, depth = self.cursor, 0
        if cursor.text not in _CLOSING.values():
            return False
        for token in cursor.tokens[cursor.at : cursor.stop]:
            depth += (token.text in _OPENS) - (token.text in _CLOSES)
            if depth == 0:
                return False
            if depth == 1 and token.text == ",":
                return True
        return False

    def _under(
        self,
    ) -> tuple[tuple[str, ...], Expression | None, Expression | None, Condition | None]:
        r"""Read what stands under a sum: `i`, `i,j`, `i=1`, `j \le i`, `t : x_t = v`."""
        cursor, at, start = self.cursor, self.cursor.at, self.cursor.start
        if cursor.text.isdigit():
            return self._under_double()
        first = self.index()
        if cursor.accept("="):
            return (first,), self._limit(), None, None
        if cursor.accept(r"\in"):
            cursor.expect(r"\{")
            lower = self._limit()
            cursor.expect(",")
            interval = self._dotted(first, lower, start)
            cursor.expect(r"\}")
            return (first,), interval.lower, interval.upper, None
        if cursor.text in COMPARISONS:
            position = Position(index=first, origin=self._origin, span=(start, cursor.end))
            condition = self._comparison(position, start, place=True)
            if cursor.text in COMPARISONS:
                raise cursor.error(r"write the range as \sum_{j=i}^{T}")
            return (first,), None, None, condition
        cursor.at = at
        indices = [self.index()]
        while cursor.text and cursor.text not in {":", "|"}:
            cursor.accept(",")
            indices.append(self.index())
        ranged = self.condition() if cursor.accept(":", "|") else None
        return tuple(indices), None, None, ranged

    def _under_double(
        self,
    ) -> tuple[tuple[str, ...], Expression | None, Expression | None, Condition | None]:
        r"""Read `1 \le j \le i`."""
        cursor = self.cursor
        lower = self._limit()
        cursor.expect(r"\le")
        index = self.index()
        cursor.expect(r"\le")
        return (index,), lower, self.place(), None


def _product(factors: list[Expression], span: Range) -> Expression:
    if len(factors) == 1:
        return factors[0]
    return Product(factors=_fill_product(factors), span=span)


def _open_axes(node: Expression) -> tuple[str, ...]:
    """The axes of a node that have no index; none if they do not fit, which `check_sides` says."""
    try:
        return unindexed(node)
    except AxisError:
        return ()


def _outer(texts: tuple[str, ...]) -> list[str]:
    """The tokens that are in no braces."""
    depth, found = 0, []
    for text in texts:
        depth += (text == "{") - (text == "}")
        if depth == 0:
            found.append(text)
    return found


def _shown(place: Expression) -> str:
    match place:
        case Position(index=index):
            return index
        case Number(text=text):
            return text
        case Colon():
            return ":"
        case Reference(symbol=symbol):
            return symbol
        case _:
            return "…"


def _is_position(node: Expression) -> bool:
    """Whether a node is computed from the values of indices."""
    match node:
        case Position():
            return True
        case Add() | Product() | Negate() | Fraction() | Call(function="floor"):
            return any(map(_is_position, children(node)))
        case _:
            return False


def _counted(node: Expression, base: int) -> Expression:
    """The same place, with indices that count from `base`."""
    if isinstance(node, Position):
        return replace(node, origin=base)
    if isinstance(node, Reference | Element):
        return node
    return with_children(node, tuple(_counted(child, base) for child in children(node)))


def _spanning(node: Expression, span: Range) -> Expression:
    inside = tuple(_spanning(child, span) for child in children(node))
    return replace(with_children(node, inside), span=span)


# How long a vector of ones is


def _lacks(node: Expression) -> bool:
    return any(isinstance(item, Ones) and not item.dimension for item in walk(node))


def _filled(node: Expression, dimension: str) -> Expression:
    """The same with `dimension` for every vector of ones that has none yet."""
    if isinstance(node, Ones):
        return node if node.dimension else replace(node, dimension=dimension)
    return with_children(node, tuple(_filled(child, dimension) for child in children(node)))


def _fill_product(factors: list[Expression]) -> tuple[Expression, ...]:
    r"""Take the length of `\mathbf{1}` in `\mathbf{1}^\top A` and `A \mathbf{1}` from A."""
    filled = list(factors)
    for number, factor in enumerate(factors):
        if not _lacks(factor):
            continue
        if isinstance(factor, Transpose) and number + 1 < len(factors):
            after = _open_axes(factors[number + 1])
            if after and after[0]:
                matrices = any(map(_open_axes, factors[:number]))
                row = len(after) == 1 or matrices  # else a vector will do, as the code has it
                filled[number] = _filled(factor if row else factor.operand, after[0])
        elif isinstance(factor, Ones) and number:
            before = _open_axes(filled[number - 1])
            if len(before) > 1 and before[-1]:
                filled[number] = _filled(factor, before[-1])
    return tuple(filled)


def _fill_sides(terms: list[Expression]) -> tuple[Expression, ...]:
    r"""Take the length of `\mathbf{1}` in `\mathbf{1} b^\top` from the other terms."""
    if not any(map(_lacks, terms)):
        return tuple(terms)
    known = next((axes for axes in map(_open_axes, terms) if axes and "" not in axes), ())
    filled = []
    for term in terms:
        axes = _open_axes(term)
        if _lacks(term) and len(axes) == len(known) and axes.count("") == 1:
            filled.append(_filled(term, known[axes.index("")]))
        else:
            filled.append(term)
    return tuple(filled)
