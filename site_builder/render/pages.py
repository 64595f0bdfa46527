"""Render the whole site to text files."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlsplit

from site_builder.cache import Cache, fingerprint
from site_builder.observe.verdicts import Verdict
from site_builder.read.page import PART_LEVEL
from site_builder.read.test_report import TestReport
from site_builder.render.explain import explain
from site_builder.render.freshness import freshness
from site_builder.render.html import Html
from site_builder.render.pictures import Picture
from site_builder.render.print_site import PrintedSite
from site_builder.render.source import SourceEntry, first_sentence, source_view
from site_builder.resolve.site import PageView, Site
from site_builder.resolve.view import HeadingView


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationEntry:
    """A page in the navigation."""

    slug: str
    title: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameView:
    """The frame around each page's content.

    Attributes:
        root: the relative path from this page to the top of the site: empty, or some `../`.
        address: the page's URL; None if site.toml does not say where the site is served.
        is_article: whether the page is one of those in content/.
        has_feed: whether the site has a feed of changes.
        runtime_bytes: size of what the browser loads to run Python; 0 if the site has no runtime.
        pdf, pdf_pages: the PDF of all pages, empty if there is none, and its number of pages.
        picture: the preview for shared links to the page, and its address.
        fonts: the files of the text fonts.
    """

    root: str
    site_title: str
    title: str
    description: str
    pages: tuple["NavigationEntry", ...]
    current: str
    commit: str | None
    commit_url: str | None
    environment: str
    address: str | None
    is_article: bool
    has_feed: bool
    runtime_bytes: int
    pdf: str
    pdf_pages: int
    picture: tuple[Picture, str] | None
    fonts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsEntry:
    """An entry of a page's table of contents."""

    id: str
    title: str
    is_part: bool


def render(  # noqa: PLR0913 - each is a different fact
    site: Site,
    html: Html,
    verdicts: dict[str, Verdict],
    tests: TestReport | None,
    runtime_bytes: int,
    printed: PrintedSite,
    fonts: tuple[str, ...],
    cache: Cache,
) -> dict[str, str]:
    """Every text file of the site made from templates, by its path."""

    def frame(path: str, title: str, description: str) -> FrameView:
        return _frame(site, path, title, description, runtime_bytes, printed, fonts)

    files = {}
    for page in site.pages:
        path = f"{page.slug}.html"
        own = {e.id: verdicts.get(e.id) for e in site.equations if e.slug == page.slug}
        values: dict[str, object] = {
            "frame": frame(path, page.title, page.summary),
            "pdf": printed.pdf,
            "heights": printed.heights.get(page.slug, ()),
            "ranges": site.page_ranges.get(page.slug, {}),
        }
        files[path] = cache.computed(
            f"html-{page.slug}",
            fingerprint(html.version, page.key, repr(own), repr(values)),
            partial(_page, page, html, values),
        )
    files |= _source_pages(site, html, frame, printed, cache)
    files["index.html"] = html.render(
        "index.html",
        frame=frame("index.html", site.settings.title, site.settings.description),
        modules=_modules(site),
        model=site.model,
        facts=_facts(site),
    )
    files["404.html"] = html.render(
        "404.html", frame=frame("404.html", "Page not found", "There is no page at this address.")
    )
    files["freshness.html"] = html.render(
        "freshness.html",
        frame=frame(
            "freshness.html", "What was checked", "All that this build evaluated, observed and ran."
        ),
        freshness=freshness(site, verdicts, tests),
    )
    for old, new in site.settings.moved.items():
        title = next((page.title for page in site.pages if page.slug == new), new)
        around = frame(f"{old}.html", title, f"“{old}” has moved to “{title}”.")
        files[f"{old}.html"] = html.render(
            "moved.html",
            frame=replace(around, address=site.settings.address(f"{new}.html")),
            to=f"{around.root}{new}.html",
        )
    return {**files, "explain.json": explain(site, verdicts, printed.pdf)}


def _source_pages(
    site: Site,
    html: Html,
    frame: Callable[[str, str, str], FrameView],
    printed: PrintedSite,
    cache: Cache,
) -> dict[str, str]:
    """The source pages; cached as a whole if nothing on them has changed."""
    frames = {}
    for module in site.sources:
        path, name = site.links.source_page(module.path), site.links.file(module.path)
        description = f"The source of {name}, with the equations that its lines compute."
        frames[path] = frame(path, name, description)
    equations = [(e.slug, e.id, e.caption, [p.span for p in e.computed_by]) for e in site.equations]
    shown = (site.revision, equations, sorted(site.source_ranges), printed.pdf, frames)

    def rendered() -> dict[str, str]:
        files = {}
        for module in site.sources:
            path = site.links.source_page(module.path)
            view = source_view(module, site, printed.pdf)
            files[path] = cache.computed(
                f"html-{module.name}",
                fingerprint(html.version, repr(frames[path]), repr(view)),
                partial(html.render, "source.html", frame=frames[path], source=view),
            )
        return files

    key = fingerprint(html.version, site.codebase.version, repr(shown))
    return cache.computed("sources", key, rendered)


def _page(page: PageView, html: Html, values: dict[str, object]) -> str:
    return html.render(
        "page.html",
        page=page,
        contents=_contents(page),
        has_equations=any(view.equation for view in page.blocks),
        **values,
    )


def _frame(  # noqa: PLR0913 - likewise
    site: Site,
    path: str,
    title: str,
    description: str,
    runtime_bytes: int,
    printed: PrintedSite,
    fonts: tuple[str, ...],
) -> FrameView:
    commit, repository = site.revision.commit, site.revision.repository
    # The 404 page is shown at any address, so its links cannot be relative.
    base = urlsplit(site.settings.url).path.rstrip("/") + "/"
    return FrameView(
        root=base if path == "404.html" else "../" * path.count("/"),
        site_title=site.settings.title,
        title=title,
        description=description,
        pages=tuple(
            NavigationEntry(slug=page.slug, title=page.title, summary=page.summary)
            for page in site.pages
        ),
        current=path,
        commit=commit,
        commit_url=f"{repository}/commit/{commit}" if commit and repository else None,
        environment=site.observation.environment,
        address=site.settings.address(path),
        is_article=any(path == f"{page.slug}.html" for page in site.pages),
        has_feed=bool(site.history),
        runtime_bytes=runtime_bytes,
        pdf=printed.pdf.path,
        pdf_pages=printed.pdf.pages,
        picture=_picture(site, path, printed),
        fonts=fonts,
    )


def _picture(site: Site, path: str, printed: PrintedSite) -> tuple[Picture, str] | None:
    picture = printed.pictures.get(path) or printed.pictures.get("index.html")
    address = site.settings.address(picture.path) if picture else None
    return (picture, address) if picture and address else None


def _contents(page: PageView) -> tuple[ContentsEntry, ...]:
    return tuple(
        ContentsEntry(id=view.id, title=view.plain, is_part=view.level == PART_LEVEL)
        for view in page.blocks
        if isinstance(view, HeadingView)
    )


def _modules(site: Site) -> tuple[SourceEntry, ...]:
    """The modules of the subject."""
    return tuple(
        SourceEntry(
            name=site.links.file(module.path),
            href=site.links.source_page(module.path),
            summary=first_sentence(module.docstring),
        )
        for module in site.sources
        if site.codebase.is_subject(module.name) and module.name != site.codebase.subject
    )


def _facts(site: Site) -> tuple[tuple[str, str], ...]:
    """Figures about the model, for the index page."""
    run = site.observation.runs[0]
    shapes = run.parameters.values()
    scalars = sum(math.prod(shape) for shape in shapes if isinstance(shape, list))
    return (
        ("parameters", f"{scalars:,}"),
        ("arrays", str(len(shapes))),
        *((run.attributes[symbol], str(size)) for symbol, size in run.dimensions.items()),
    )
