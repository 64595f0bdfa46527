"""Where a page's symbols occur: in formulas, in code, and in values of runs."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from eqcheck.occurrences import occurrences
from eqcheck.symbols import Symbol, Symbols, symbol
from site_builder.problem import Place
from site_builder.read.anchors import CodePlace
from site_builder.read.code import Function
from site_builder.read.codebase import Codebase
from site_builder.read.equations import Equation


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolRow:
    """A row of a symbol table.

    Attributes:
        code: the place of its value in the code; None if the code has none.
        place: the line of the page.
    """

    id: str
    latex: str
    code: CodePlace | None
    meaning: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolName:
    """An occurrence of a symbol's name in a line of code: half-open character offsets."""

    start: int
    stop: int
    symbol: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LineLinks:
    """The symbols and equations of a line of code.

    Attributes:
        names: the names of symbols in it, from left to right.
        symbol: a symbol that is computed here, but has no name in the code.
        equations: the ids of the page's equations that the line computes.
    """

    names: tuple[SymbolName, ...] = ()
    symbol: str | None = None
    equations: tuple[str, ...] = ()


class SymbolLinks:
    """The symbols of one page, by where they occur."""

    def __init__(
        self, rows: tuple[SymbolRow, ...], equations: Iterable[Equation], codebase: Codebase
    ) -> None:
        self._ids: dict[str, str] = {}
        for row in rows:
            self._ids.setdefault(row.latex, row.id)
        self._symbols = Symbols(declared=tuple(_declared(rows)))
        places = [(row.code, row.id) for row in reversed(rows) if row.code]
        self._of_anchor = {place.anchor: id_ for place, id_ in places}
        self._of_name = {place.name: id_ for place, id_ in places if place.name.isidentifier()}
        self._of_code = {
            (row.code.function and row.code.function.dotted, row.code.name, row.code.span): row
            for row in reversed(rows)
            if row.code
        }
        self._lines = _lines(places, equations, codebase)

    def linked(self, latex: str) -> str:
        r"""The LaTeX with each symbol wrapped in an `\htmlData` with its id."""
        parts, end = [], 0
        for found in occurrences(latex, self._symbols):
            id_ = self._ids[found.symbol]
            parts += [latex[end : found.start], rf"\htmlData{{symbol={id_}}}{{"]
            parts += [latex[found.start : found.stop], "}"]
            end = found.stop
        return "".join([*parts, latex[end:]])

    def of_value(self, place: CodePlace) -> str | None:
        """The id of the symbol whose value is at a place."""
        return self._of_anchor.get(place.anchor)

    def of_code(self, place: CodePlace) -> SymbolRow | None:
        """The symbol of a variable, parameter or result, however its anchor is written."""
        return self._of_code.get((place.function and place.function.dotted, place.name, place.span))

    def of_input(self, name: str) -> str | None:
        """The id of the symbol with a name in the code."""
        return self._of_name.get(name)

    def of_line(self, path: str, number: int) -> LineLinks:
        """The symbols and equations of a line of a file."""
        return self._lines.get((path, number), LineLinks())


def _declared(rows: tuple[SymbolRow, ...]) -> Iterator[Symbol]:
    """Rows that declare a single symbol, without letters that are only indices."""
    for row in rows:
        if row.code is None and len(row.latex) == 1 and row.latex.islower():
            continue
        try:
            yield symbol(row.latex, ())
        except ValueError:
            continue  # such as `i, j`


def _lines(
    places: list[tuple[CodePlace, str]], equations: Iterable[Equation], codebase: Codebase
) -> dict[tuple[str, int], LineLinks]:
    names: dict[tuple[str, int], list[SymbolName]] = {}
    symbols: dict[tuple[str, int], str] = {}
    computes: dict[tuple[str, int], list[str]] = {}
    for place, id_ in places:
        if place.function and place.kind in ("parameter", "assignment"):
            lines = codebase.lines(place.span.path)
            for number, name in _names(place.function, place.name, id_, lines):
                names.setdefault((place.span.path, number), []).append(name)
        elif place.kind in ("return", "expression"):
            symbols |= dict.fromkeys(_lines_of(place), id_)
    for equation in equations:
        for place in equation.computed_by:
            for line in _lines_of(place):
                computes.setdefault(line, []).append(equation.id)
    return {
        line: LineLinks(
            names=tuple(sorted(set(names.get(line, ())), key=lambda name: name.start)),
            symbol=symbols.get(line),
            equations=tuple(dict.fromkeys(computes.get(line, ()))),
        )
        for line in {**names, **symbols, **computes}
    }


def _lines_of(place: CodePlace) -> list[tuple[str, int]]:
    return [(place.span.path, n) for n in range(place.span.first, place.span.last + 1)]


def _names(
    function: Function, name: str, id_: str, lines: list[str]
) -> Iterator[tuple[int, SymbolName]]:
    """Every use of a variable or parameter in a function, with the number of its line."""
    for node in ast.walk(function.node):
        if (isinstance(node, ast.Name) and node.id == name) or (
            isinstance(node, ast.arg) and node.arg == name
        ):
            line = lines[node.lineno - 1]
            start = len(line.encode()[: node.col_offset].decode(errors="ignore"))  # in bytes
            stop = start + len(name)
            if line[start:stop] == name:  # Python 3.11 gives other offsets in f-strings
                yield node.lineno, SymbolName(start=start, stop=stop, symbol=id_)
