"""Read a PDF that Chromium made: its named destinations, bookmarks and the numbers it shows."""

import io
import re
from collections.abc import Collection, Iterator

from pypdf import PageObject, PdfReader
from pypdf.generic import Destination

_EQUATION = re.compile(r"\((\d+\.\d+)\)")
_SECTION = re.compile(r"(\d+\.\d+) .*")
_SLACK = 1.0  # points by which things at one height may differ


def read_pdf(pdf: bytes, names: Collection[str]) -> tuple[int, dict[str, tuple[int, str, str]]]:
    """The number of pages; and of each named destination its page, section and equation.

    Pages count from 1. The section is that of the last bookmark at or above the destination, and
    the equation the first that is numbered below it on its page.
    """
    reader = PdfReader(io.BytesIO(pdf))
    sections = sorted(_sections(reader))
    numbers: dict[int, list[tuple[float, str]]] = {}
    found = {}
    for key, place in reader.named_destinations.items():
        name = key.removeprefix("/")
        if name not in names:
            continue
        page, top = _position(place, reader)
        if page not in numbers:
            numbers[page] = _numbers(reader.pages[page - 1])
        above = [section for at, section in sections if at <= (page, _SLACK - top)]
        below = [number for height, number in numbers[page] if height <= top + _SLACK]
        found[name] = (page, above[-1] if above else "", below[0] if below else "")
    return len(reader.pages), found


def _position(place: Destination, reader: PdfReader) -> tuple[int, float]:
    """The page, and the height on it in points, from below."""
    return (reader.get_destination_page_number(place) or 0) + 1, float(place.top or 0)


def _sections(reader: PdfReader) -> Iterator[tuple[tuple[int, float], str]]:
    """Page and distance downwards of each section, and its number."""
    for bookmark in _flat(reader.outline):
        match = _SECTION.fullmatch(bookmark.title or "")
        if match:
            page, top = _position(bookmark, reader)
            yield (page, -top), match[1]


def _flat(bookmarks: object) -> Iterator[Destination]:
    if isinstance(bookmarks, Destination):
        yield bookmarks
    elif isinstance(bookmarks, list):
        for inner in bookmarks:
            yield from _flat(inner)


def _numbers(page: PageObject) -> list[tuple[float, str]]:
    """Height and number of each equation that a page shows, from above."""
    found: list[tuple[float, str]] = []

    def visit(text: str, outer: list[float], inner: list[float], *_: object) -> None:
        match = _EQUATION.fullmatch(text.strip())
        if match:
            found.append((inner[4] * outer[1] + inner[5] * outer[3] + outer[5], match[1]))

    page.extract_text(visitor_text=visit)
    return sorted(found, reverse=True)
