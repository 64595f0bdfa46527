"""Print the site with a browser: all pages as one PDF, and a picture of each page."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from math import ceil

from site_builder.problem import Report
from site_builder.render.chromium import Browser, make
from site_builder.render.esbuild import STYLES
from site_builder.render.fonts import KATEX, Fonts
from site_builder.render.html import Html
from site_builder.render.pdf import Pdf, pdf_job, read_mentions, reproducible
from site_builder.render.pictures import Picture, picture_jobs, pictures
from site_builder.render.tools import Tools
from site_builder.resolve.site import Site

_STYLES = (KATEX, STYLES)
_ROOM = 1.05  # a margin: readers' fonts differ, and passages must not overlap


@dataclass(frozen=True, slots=True, kw_only=True)
class Height:
    """The height of a passage on a narrow and on a wide screen, in rem, rounded up."""

    narrow: int
    wide: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedSite:
    """The PDF and the pictures, for the pages to refer to, and their files.

    Attributes:
        heights: the heights of the passages of each page, by its slug.
        pictures: by the path of their page; empty if the site has no address.
    """

    pdf: Pdf
    heights: Mapping[str, tuple[Height, ...]] = field(default_factory=dict)
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)


def print_site(  # noqa: PLR0913 - each is a different thing
    site: Site,
    html: Html,
    fonts: Fonts,
    browser: Browser,
    tools: Tools,
    report: Report,
) -> PrintedSite:
    """Make the PDF, and the pictures if the site has an address; without a browser, neither.

    Args:
        site: the site.
        html: renders the documents that are printed.
        fonts: the style sheets and their fonts.
        browser: the one to use.
        tools: run the browser, and cache what it made.
        report: receives problems.
    """
    if browser.executable is None:
        return PrintedSite(pdf=Pdf(missing=browser.missing))
    whole = pdf_job(site, html, _STYLES)
    shared = picture_jobs(site, html, _STYLES) if site.settings.url else {}
    styles = fonts.styles("print", (document.html for document in (whole, *shared.values())))
    files = {path: _at_once(data) for path, data in styles.items()}
    report.raise_if_any()
    made = make([whole, *shared.values()], files, browser, tools, report)
    report.raise_if_any()
    pdf = reproducible(made[whole.path].data)
    described = read_mentions(pdf, site, tools.cache, report)
    shown = {path: picture for path, picture in pictures(site).items() if path in shared}
    images = {picture.path: made[shared[path].path].data for path, picture in shown.items()}
    return PrintedSite(
        pdf=described,
        heights=_heights(site, *made[whole.path].heights),
        pictures=shown,
        files={described.path: pdf, **images},
    )


def _heights(
    site: Site, narrow: tuple[float, ...], wide: tuple[float, ...]
) -> dict[str, tuple[Height, ...]]:
    """The heights of the passages by page; the document has the passages of all pages in order."""
    measured = zip(narrow, wide, strict=True)
    return {
        page.slug: tuple(
            Height(narrow=ceil(n * _ROOM), wide=ceil(w * _ROOM))
            for n, w in islice(measured, len(page.passages))
        )
        for page in site.pages
    }


def _at_once(data: str | bytes) -> bytes:
    """A file for print, which must wait for fonts, unlike a page on screen."""
    if isinstance(data, bytes):
        return data
    return data.replace("font-display:optional", "font-display:block").encode()
