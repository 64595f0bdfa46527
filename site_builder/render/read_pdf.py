"""Read a PDF made by Chromium: its named destinations, bookmarks and visible numbers.

pypdf is slow to import, so it is imported only for a PDF that is not cached.
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from site_builder.cache import Cache, fingerprint

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from pypdf import PageObject, PdfReader
    from pypdf.generic import Destination

_EQUATION = re.compile(r"\((\d+\.\d+)\)")
_SECTION = re.compile(r"(\d+\.\d+) .*")

Position = tuple[int, float]  # a page, from 1, and the distance from its top


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A destination in a PDF.

    Attributes:
        page: from 1.
        section: the number of the section in the bookmarks, such as `2.1`.
        number: the number printed beside an equation, such as `2.3`; empty if there is none.
    """

    page: int
    section: str
    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The number of pages of a PDF, and its destinations by name."""

    pages: int
    spots: dict[str, Spot]


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """The destinations to find: section headings, equations, listings of functions."""

    sections: tuple[str, ...]
    equations: tuple[str, ...]
    listings: tuple[str, ...]


def read_pdf(pdf: bytes, targets: Targets, cache: Cache) -> Measured:
    """Find the equations and listings; omits those that the PDF lacks."""
    key = fingerprint(Path(__file__).read_bytes(), pdf, json.dumps(asdict(targets)))
    known = cache.get("measured", lambda entry: _decode(entry, key))
    if known is None:
        known = _read(pdf, targets)
        cache.put("measured", {"key": key, **asdict(known)})
    return known


def _decode(entry: dict[str, Any], key: str) -> Measured | None:
    if entry["key"] != key:
        return None
    spots = {name: Spot(**spot) for name, spot in entry["spots"].items()}
    return Measured(pages=entry["pages"], spots=spots)


def _read(pdf: bytes, targets: Targets) -> Measured:
    """Read the PDF itself.

    Positions of destinations can only be compared with each other, since Chromium omits the page's
    margin. So printed numbers are matched to equations by their order.
    """
    from pypdf import PdfReader  # noqa: PLC0415

    reader = PdfReader(io.BytesIO(pdf))
    places = {
        key.removeprefix("/"): _position(place, reader)
        for key, place in reader.named_destinations.items()
    }
    bookmarked = [*_sections(reader)]
    sections = _in_order(targets.sections, places)
    starts = [
        (places[name], number)
        for name, number in zip(sections, bookmarked, strict=False)
        if len(sections) == len(bookmarked)
    ]
    numbers = _printed_numbers(reader, _in_order(targets.equations, places), places)
    spots = {}
    for name in (*targets.equations, *targets.listings):
        if name in places:
            above = [number for start, number in starts if start <= places[name]]
            spots[name] = Spot(
                page=places[name][0],
                section=above[-1] if above else "",
                number=numbers.get(name, ""),
            )
    return Measured(pages=len(reader.pages), spots=spots)


def _position(place: Destination, reader: PdfReader) -> Position:
    return (reader.get_destination_page_number(place) or 0) + 1, -float(place.top or 0)


def _in_order(names: Collection[str], places: dict[str, Position]) -> list[str]:
    """The names that the PDF has, in reading order."""
    return sorted((name for name in names if name in places), key=places.__getitem__)


def _printed_numbers(
    reader: PdfReader, equations: list[str], places: dict[str, Position]
) -> dict[str, str]:
    """The number of each equation, on pages with as many numbers as equations."""
    found: dict[str, str] = {}
    for page, group in groupby(equations, key=lambda name: places[name][0]):
        names, numbers = [*group], _numbers(reader.pages[page - 1])
        if len(names) == len(numbers):
            found |= dict(zip(names, numbers, strict=True))
    return found


def _sections(reader: PdfReader) -> Iterator[str]:
    """The numbers of the sections, from the bookmarks."""
    for bookmark in _flat(reader.outline):
        match = _SECTION.fullmatch(bookmark.title or "")
        if match:
            yield match[1]


def _flat(bookmarks: object) -> Iterator[Destination]:
    from pypdf.generic import Destination  # noqa: PLC0415

    if isinstance(bookmarks, Destination):
        yield bookmarks
    elif isinstance(bookmarks, list):
        for inner in bookmarks:
            yield from _flat(inner)


def _numbers(page: PageObject) -> list[str]:
    """The equation numbers on a page, from top to bottom."""
    found: list[tuple[float, str]] = []

    def visit(text: str, outer: list[float], inner: list[float], *_: object) -> None:
        match = _EQUATION.fullmatch(text.strip())
        if match:
            height = inner[4] * outer[1] + inner[5] * outer[3] + outer[5]
            found.append((-height, match[1]))

    page.extract_text(visitor_text=visit)
    return [number for _, number in sorted(found)]
