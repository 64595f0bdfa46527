"""What a browser makes of the site: all pages as one PDF, and a picture of each page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from site_builder.cache import Cache
from site_builder.problem import Report
from site_builder.render.chromium import Browser, make
from site_builder.render.companion import Companion, companion, document, repeatable
from site_builder.render.fonts import Faces
from site_builder.render.html import Html
from site_builder.render.pictures import Picture, picture_documents, pictures
from site_builder.resolve.site import Site

_FIRST = ("site", "layout", "content", "code", "katex/katex.min")  # as pages have them
_LAST = "static/print.css"


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """What was made, for the pages to refer to, and the files.

    Attributes:
        pictures: by the path of the page that each is for; none where the site has no address.
    """

    companion: Companion
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)


def print_site(  # noqa: PLR0913 - each is a different thing
    site: Site,
    html: Html,
    assets: Mapping[str, Path],
    faces: Faces,
    browser: Browser,
    cache: Cache,
    report: Report,
) -> Printed:
    """Make the PDF, and the pictures if the site has an address; without a browser, neither.

    Args:
        site: the site.
        html: renders the documents that are printed.
        assets: files of the site by path, its styles among them.
        faces: those of the styles.
        browser: the one to use.
        cache: keeps what it made.
        report: gets what went wrong.
    """
    if browser.executable is None:
        return Printed(companion=Companion(missing=browser.missing))
    sheets = {path: file for path, file in assets.items() if file.suffix == ".css"}
    styles = _styles(sheets)
    whole = document(site, html, styles)
    shared = picture_documents(site, html, styles[:-1]) if site.settings.url else {}
    files = {path: file.read_bytes() for path, file in sheets.items()}
    texts = (document.html for document in (whole, *shared.values()))
    files |= {path: style.encode() for path, style in faces.styles("print", texts).items()}
    report.raise_if_any()
    made = make([whole, *shared.values()], files, browser, cache, report)
    report.raise_if_any()
    pdf = repeatable(made[whole.path])
    found = companion(pdf, site, cache, report)
    shown = {path: picture for path, picture in pictures(site).items() if path in shared}
    images = {picture.path: made[shared[path].path] for path, picture in shown.items()}
    return Printed(companion=found, pictures=shown, files={found.path: pdf, **images})


def _styles(paths: Iterable[str]) -> list[str]:
    """All styles of the site, in the order in which they apply."""
    first = [f"static/{name}.css" for name in _FIRST]
    others = {path for path in paths if path.endswith(".css")} - {*first, _LAST}
    return [*first, *sorted(others), _LAST]
