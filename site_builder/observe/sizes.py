"""Name the sizes of arrays: `(5, 14)` in one run and `(6, 15)` in another can only be `(T, d)`."""

from dataclasses import dataclass

from site_builder.observe.observation import Shape
from site_builder.problem import Place, Report
from site_builder.read.settings import SETTINGS_PATH

_LARGEST_FACTOR = 4
_REMEDY = "choose other numbers under [observe] sizes"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapeView:
    """A shape as the page shows it: `(T, d)` and `(16, 32)`; `scalar` and nothing."""

    symbolic: str
    concrete: str


class UnknownSizeError(Exception):
    """A size that matches no dimension."""


class Sizes:
    """Names sizes by the symbols that have them in each run of a study."""

    def __init__(self, dimensions: list[dict[str, int]]) -> None:
        self._dimensions = dimensions
        self._symbols = {
            tuple(run[symbol] for run in dimensions): symbol
            for symbol in (dimensions[0] if dimensions else ())
        }

    def check(self, report: Report) -> None:
        """Report dimensions of equal size in a run that is meant to distinguish them."""
        for symbol, size in self._dimensions[0].items():
            if all(run[symbol] == size for run in self._dimensions):
                what = f"{symbol} has the same size {size} in all runs"
                report.add(Place(path=SETTINGS_PATH), what, _REMEDY)
        for run in self._dimensions[1:]:
            seen: dict[int, str] = {1: "1"}
            for symbol, size in run.items():
                if size in seen:
                    what = f"{symbol} and {seen[size]} both have size {size} in one of the runs"
                    report.add(Place(path=SETTINGS_PATH), what, _REMEDY)
                seen[size] = symbol

    def name(self, shapes: list[Shape]) -> ShapeView:
        """Name the shape of a variable, given its shape in each run.

        Raises:
            UnknownSizeError: a size is neither a dimension, nor a multiple of one, nor constant.
        """
        first = shapes[0]
        if isinstance(first, str):
            return ShapeView(symbolic=first, concrete="")
        if isinstance(first, tuple):
            return self._name_items(shapes)
        if not first:
            return ShapeView(symbolic="scalar", concrete="")
        columns = [tuple(column) for column in zip(*shapes, strict=True)]
        return ShapeView(
            symbolic=_parenthesised([self.symbol(column) for column in columns]),
            concrete=_parenthesised([str(size) for size in first]),
        )

    def axes(self, shapes: list[Shape]) -> list[str]:
        """The dimensions of a variable, without axes of size 1 left by `keepdims`.

        Raises:
            UnknownSizeError: it has a size that is not a dimension, or is not an array or number.
        """
        if not all(isinstance(shape, list) for shape in shapes):
            raise UnknownSizeError("it is neither an array nor a number")
        columns = [tuple(column) for column in zip(*shapes, strict=True)]
        names = [self.symbol(column) for column in columns if set(column) != {1}]
        for name in names:
            if not name.isidentifier():
                raise UnknownSizeError(f"a size is {name}, which is not a dimension")
        return names

    def symbol(self, sizes: tuple[int, ...]) -> str:
        """The symbol whose size was `sizes[0]`, `sizes[1]`, … in the runs.

        Raises:
            UnknownSizeError: there is no such symbol.
        """
        if sizes in self._symbols:
            return self._symbols[sizes]
        if len(set(sizes)) == 1:
            return str(sizes[0])
        for factor in range(2, _LARGEST_FACTOR + 1):
            quotient = tuple(size / factor for size in sizes)
            for known, symbol in self._symbols.items():
                if known == quotient:
                    return f"{factor}{symbol}"
        raise UnknownSizeError(f"no dimension had the sizes {', '.join(map(str, sizes))}")

    def _name_items(self, shapes: list[Shape]) -> ShapeView:
        columns = zip(*(shape for shape in shapes if isinstance(shape, tuple)), strict=True)
        views = [self.name(list(column)) for column in columns]
        return ShapeView(
            symbolic=" and ".join(view.symbolic for view in views),
            concrete=" and ".join(filter(None, (view.concrete for view in views))),
        )


def _parenthesised(sizes: list[str]) -> str:
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"
