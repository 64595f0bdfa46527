"""What pages show of code to edit: cells and exercises."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from site_builder.resolve.links import CodeLink
from site_builder.resolve.symbol_links import LineLinks
from site_builder.resolve.text_views import Reference, Text

if TYPE_CHECKING:
    from site_builder.resolve.views import BlockView


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingLine:
    """A line of code; `id` is None where the page already has an element for that line.

    Attributes:
        href: leads to this line here, or to that of the source page where it has no id.
    """

    number: int
    text: str
    id: str | None
    href: str
    links: LineLinks


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingView:
    """Lines of a file, with the function that they belong to.

    Attributes:
        anchor: by which links name the listing; None where its lines were listed before.
    """

    template: ClassVar[str] = "listing.html"
    id: str | None
    anchor: str | None
    function: str
    link: CodeLink
    lines: tuple[ListingLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellView:
    """Functions to edit, and what a program prints that runs them.

    Attributes:
        data: what the browser needs to edit and run them, as JSON.
    """

    template: ClassVar[str] = "cell.html"
    id: str
    listing: ListingView
    program: Reference
    output: str
    environment: str
    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseView:
    """A task, a stub to begin from, hints, and a worked solution."""

    template: ClassVar[str] = "exercise.html"
    id: str
    title: str
    task: tuple["BlockView", ...]
    stub: tuple[str, ...]
    hints: tuple[Text, ...]
    check: Reference
    solution: tuple[ListingView, ...]
    data: str
