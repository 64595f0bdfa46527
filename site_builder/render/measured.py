"""What was read off a PDF: where its destinations are, and which numbers are printed there."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from site_builder.cache import Cache, fingerprint

_READER = Path(__file__).with_name("read_pdf.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A destination in a PDF.

    Attributes:
        page: from 1.
        section: the number of the section, such as `2.1`, as the bookmarks have it.
        number: what is printed beside an equation, such as `2.3`; empty if there is none.
    """

    page: int
    section: str
    number: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """How many pages a PDF has, and its destinations by name."""

    pages: int
    spots: dict[str, Spot]


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """The destinations to look for: headings of sections, equations, listings of functions."""

    sections: tuple[str, ...]
    equations: tuple[str, ...]
    listings: tuple[str, ...]


def measured(pdf: bytes, targets: Targets, cache: Cache) -> Measured:
    """Find the equations and listings; those that the PDF lacks are left out."""
    key = fingerprint(_READER.read_bytes(), pdf, json.dumps(asdict(targets)))
    kept = cache.get("measured") or {}
    if kept.get("key") == key:
        spots = {name: Spot(**spot) for name, spot in kept["spots"].items()}
        return Measured(pages=kept["pages"], spots=spots)
    # Its library takes its time to import; a PDF that is the same does not wait for it.
    from site_builder.render.read_pdf import read_pdf  # noqa: PLC0415

    pages, spots = read_pdf(pdf, targets)
    table = {name: asdict(spot) for name, spot in spots.items()}
    cache.put("measured", {"key": key, "pages": pages, "spots": table})
    return Measured(pages=pages, spots=spots)
