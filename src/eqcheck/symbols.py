"""The symbols of a page: how each is written and which axes it has."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from eqcheck.errors import LatexError
from eqcheck.latex import Cursor, Range, Token, tokenize


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    r"""A declared symbol.

    Attributes:
        latex: how it is written, such as `dX` or `\sigma^2`.
        axes: the name of the dimension along each axis of its array, such as ("T", "d").
        base: the tokens' texts before any script.
        superscript: those of its own superscript, as of the 2 in `\sigma^2`.
        subscript: those of its own subscript, as in `x_{\text{max}}`.
    """

    latex: str
    axes: tuple[str, ...]
    base: tuple[str, ...]
    superscript: tuple[str, ...] = ()
    subscript: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    r"""A function that a page defines, as in `\operatorname{GELU}(x) = \frac{x}{2} (1 + \tanh x)`.

    Attributes:
        name: the tokens' texts: letters, and the style they are set in.
        parameters: those of each parameter.
        indices: the letters of the result's indices, as the i in `f(z)_i`.
        body: the right side.
    """

    name: tuple[str, ...]
    parameters: tuple[tuple[str, ...], ...]
    indices: tuple[str, ...] = ()
    body: tuple[Token, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbols:
    """All symbols of a page. `declare` makes it.

    Attributes:
        declared: the symbols; the names of dimensions are among them, as numbers.
        batch: dimensions over which every equation holds and which are left out in it.
        functions: those that the page defines, from `eqcheck.parse.with_functions`.
    """

    declared: tuple[Symbol, ...]
    batch: tuple[str, ...] = ()
    functions: tuple[Function, ...] = ()

    @property
    def dimensions(self) -> frozenset[str]:
        """The names of the dimensions."""
        return frozenset(name for symbol in self.declared for name in symbol.axes)

    @property
    def axes(self) -> dict[str, tuple[str, ...]]:
        """The axes of each symbol."""
        return {symbol.latex: symbol.axes for symbol in self.declared}

    def matching(self, cursor: Cursor) -> tuple[Symbol, ...]:
        """The symbols that share the longest base found here."""
        found: list[Symbol] = []
        for item in self.declared:
            longest = len(found[0].base) if found else 0
            if len(item.base) >= longest and stands_here(cursor, item.base):
                found = [*found, item] if len(item.base) == longest else [item]
        return tuple(found)


def stands_here(cursor: Cursor, base: tuple[str, ...]) -> bool:
    """Whether the next tokens are these, with no space between them that is written."""
    tokens = cursor.tokens[cursor.at : min(cursor.at + len(base), cursor.stop)]
    return tuple(token.text for token in tokens) == base and not any(
        token.apart for token in tokens[1:]
    )


def fitting(
    cursor: Cursor, found: tuple[Symbol, ...], subscript: Range | None, superscript: Range | None
) -> Symbol | None:
    """The one of some symbols of the same base that has most of these scripts for its own."""
    sub, sup = cursor.texts(subscript), cursor.texts(superscript)
    return max(
        (
            item
            for item in found
            if (not item.superscript or item.superscript == sup)
            and item.subscript == sub[: len(item.subscript)]
        ),
        key=lambda item: (len(item.superscript), len(item.subscript)),
        default=None,
    )


def declare(symbols: Mapping[str, tuple[str, ...]], *, batch: tuple[str, ...] = ()) -> Symbols:
    r"""Declare the symbols of a page.

    Args:
        symbols: by LaTeX (`X`, `d\hat{X}`, `\sigma^2`), the names of the dimensions of the
            symbol's array: ("T", "d"), or () for a number. A dimension's name, such as d, means
            its size unless it is declared as well. Kronecker's delta needs no declaration.
        batch: dimensions that equations may leave out, such as ("B", "T"). They must come first
            in the axes of each symbol that has them.

    Raises:
        ValueError: something is no symbol, or a batch dimension does not come first.
    """
    declared = [
        symbol(latex, axes) for latex, axes in symbols.items() if not latex.startswith(r"\delta_")
    ]
    names = dict.fromkeys(name for axes in symbols.values() for name in axes)
    taken = {(item.base, item.superscript, item.subscript) for item in declared}
    dimensions = [symbol(name, ()) for name in names]
    declared += [
        item for item in dimensions if (item.base, item.superscript, item.subscript) not in taken
    ]
    for item in declared:
        count = sum(name in batch for name in item.axes)
        if item.axes[:count] != tuple(name for name in batch if name in item.axes):
            raise ValueError(f"{item.latex}: {', '.join(batch)} must come first in {item.axes}")
    return Symbols(declared=tuple(declared), batch=batch)


@lru_cache(maxsize=1024)
def symbol(latex: str, axes: tuple[str, ...]) -> Symbol:
    """Take the LaTeX of one symbol apart.

    Raises:
        ValueError: it is no symbol.
    """
    try:
        tokens = tokenize(latex)
    except LatexError as error:
        raise ValueError(f"{latex} is no symbol: {error}") from error
    texts: dict[str, list[str]] = {"": [], "^": [], "_": []}
    depth, kind = 0, ""
    for token in tokens:
        if depth == 0 and token.text in {"^", "_"}:
            kind = token.text
            continue
        depth += (token.text == "{") - (token.text == "}")
        texts[kind].append(token.text)
    base = tuple(texts[""])
    if depth or not base or not _letters(tokens[0]) or _FOREIGN & set(base):
        raise ValueError(f"{latex} is no symbol")
    return Symbol(
        latex=latex,
        axes=axes,
        base=base,
        superscript=unbraced(texts["^"]),
        subscript=unbraced(texts["_"]),
    )


_FOREIGN = frozenset(
    [*"+-/=<>,&()[]|", r"\quad", r"\frac", r"\sum", r"\prod", r"\partial", r"\sqrt"]
)


def _letters(token: Token) -> bool:
    return token.text[0].isalpha() or (token.text[0] == "\\" and token.text[1].isalpha())


def unbraced(texts: list[str]) -> tuple[str, ...]:
    """The tokens of a script without the braces around it."""
    if len(texts) > 1 and texts[0] == "{" and texts[-1] == "}":
        return tuple(texts[1:-1])
    return tuple(texts)
