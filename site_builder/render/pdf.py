"""The PDF of all pages, and where in it each function is: section, equations, page."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from markupsafe import Markup

from site_builder.cache import Cache
from site_builder.problem import Report
from site_builder.read.equations import Equation
from site_builder.read.page import PART_LEVEL
from site_builder.render.chromium import PrintJob
from site_builder.render.html import Html
from site_builder.render.print_links import as_part, target
from site_builder.render.read_pdf import Spot, Targets, read_pdf
from site_builder.resolve.site import PageView, Site
from site_builder.resolve.view import HeadingView

_DATE = re.compile(rb"/(?:CreationDate|ModDate) \(D:[^)]*\)")
_NODE = re.compile(rb"\(node\d{8}\)")  # an element, as numbered by that run of Chromium
_WIDTHS = (320, 768)  # a narrow screen and a wide one; the text is no narrower on wider screens
_NOT_PRINTED = "the PDF of all pages does not show this equation as ({number})"
_REMEDY = "correct static/print.css or templates/equation.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedPage:
    """A page of the site as a part of the PDF."""

    slug: str
    title: str
    summary: str
    parts: tuple[HeadingView, ...]
    body: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A page of the PDF with equations of a function, or its listing.

    Attributes:
        section: its number, such as `2.1`.
        equations: the numbers of the equations, as printed.
        has_code: whether the function's listing begins there.
        page: from 1.
    """

    section: str
    equations: tuple[str, ...]
    has_code: bool
    page: int

    @property
    def ranges(self) -> str:
        """The numbers of the equations, abbreviated: `2.1–2.3, 2.5`."""
        return ", ".join(_ranges(self.equations))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pdf:
    """The PDF of all pages.

    Attributes:
        path: its file in the site; empty if none was made, and then `missing` says why.
        pages: how many it has.
        mentions: the mentions of functions, by dotted name.
    """

    path: str = ""
    missing: str = ""
    pages: int = 0
    mentions: Mapping[str, tuple[Mention, ...]] = field(default_factory=dict)

    def of(self, function: str) -> tuple[Mention, ...]:
        """The mentions of a function, given its dotted name."""
        return self.mentions.get(function, ())


def pdf_path(site: Site) -> str:
    """The file's name, made from the site's title."""
    name = re.sub(r"[^a-z0-9]+", "-", site.settings.title.lower()).strip("-")
    return f"{name or 'site'}.pdf"


def pdf_job(site: Site, html: Html, styles: Iterable[str]) -> PrintJob:
    """All pages in one HTML document, for Chromium to print."""
    slugs = {page.slug for page in site.pages}
    pages = [
        PrintedPage(
            slug=page.slug,
            title=page.title,
            summary=page.summary,
            parts=tuple(_parts(page)),
            body=Markup(  # noqa: S704 - the templates have escaped it
                as_part(
                    html.render("passages.html", page=page, heights=()),
                    page.slug,
                    slugs,
                    site.settings.url,
                )
            ),
        )
        for page in site.pages
    ]
    text = html.render(
        "print.html",
        title=site.settings.title,
        description=site.settings.description,
        address=site.settings.url,
        commit=site.revision.commit,
        environment=site.observation.environment,
        pages=pages,
        styles=[*styles],
        targets=_targets(site),
    )
    return PrintJob(path="print.html", html=text, widths=_WIDTHS)


def _parts(page: PageView) -> Iterator[HeadingView]:
    for view in page.blocks:
        if isinstance(view, HeadingView) and view.level == PART_LEVEL:
            yield view


def reproducible(pdf: bytes) -> bytes:
    """Make the PDF reproducible: remove its dates, and number its elements from 0.

    Lengths and the order of elements do not change, since tables in the PDF refer to offsets.
    """
    undated = _DATE.sub(lambda match: b" " * len(match[0]), pdf)
    ranks = {name: rank for rank, name in enumerate(sorted(set(_NODE.findall(pdf))))}
    return _NODE.sub(lambda match: b"(node%08d)" % ranks[match[0]], undated)


def read_mentions(pdf: bytes, site: Site, cache: Cache, report: Report) -> Pdf:
    """Find each function's mentions in the PDF; report equations without their number."""
    equations, listings = _equation_targets(site), _listings(site)
    found = read_pdf(pdf, _targets(site), cache)
    for name, equation in equations.items():
        number = site.numbers[equation.slug, equation.id]
        if name not in found.spots or found.spots[name].number != number:
            at = equation.place
            report.add(at, _NOT_PRINTED.format(number=number), _REMEDY)
    report.raise_if_any()
    places: dict[str, list[tuple[Spot, bool]]] = {}
    for name, spot in found.spots.items():
        functions = _functions(equations[name]) if name in equations else [listings[name]]
        for function in functions:
            places.setdefault(function, []).append((spot, name in listings))
    mentions = {function: tuple(_mentions(spots)) for function, spots in places.items()}
    return Pdf(path=pdf_path(site), pages=found.pages, mentions=mentions)


def _targets(site: Site) -> Targets:
    return Targets(
        sections=tuple(target(p.slug, part.id) for p in site.pages for part in _parts(p)),
        equations=tuple(_equation_targets(site)),
        listings=tuple(_listings(site)),
    )


def _equation_targets(site: Site) -> dict[str, Equation]:
    return {target(equation.slug, equation.id): equation for equation in site.equations}


def _listings(site: Site) -> dict[str, str]:
    """The function of each listing of a whole function, by the listing's id in the document."""
    functions = {site.links.function(f): f.dotted for f in site.codebase.functions.values()}
    return {
        target(page.slug, id_): functions[link]
        for page in site.pages
        for view in page.blocks
        for id_, link in view.listed
    }


def _functions(equation: Equation) -> set[str]:
    """The functions that compute an equation, or whose result it is."""
    computing = (place.function for place in equation.computed_by)
    return {function.dotted for function in (*computing, *equation.result_of) if function}


def _mentions(places: Iterable[tuple[Spot, bool]]) -> Iterator[Mention]:
    def at(place: tuple[Spot, bool]) -> tuple[int, str]:
        return place[0].page, place[0].section

    for (page, section), group in groupby(sorted(places, key=at), key=at):
        here = [*group]
        numbers = {spot.number for spot, is_code in here if not is_code}
        yield Mention(
            section=section,
            equations=tuple(sorted(numbers, key=_place)),
            has_code=any(is_code for _, is_code in here),
            page=page,
        )


def _place(number: str) -> tuple[int, ...]:
    return tuple(map(int, number.split(".")))


def _ranges(numbers: Iterable[str]) -> Iterator[str]:
    """Runs of more than two consecutive numbers as `first–last`."""
    runs: list[list[str]] = []
    for number in numbers:
        *chapter, last = _place(number)
        if runs and _place(runs[-1][-1]) == (*chapter, last - 1):
            runs[-1].append(number)
        else:
            runs.append([number])
    for run in runs:
        yield f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(run)  # noqa: PLR2004
