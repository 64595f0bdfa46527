"""Render the whole site to text files."""

import ast
import math
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlsplit

from site_builder.cache import Cache, fingerprint
from site_builder.observe.verdicts import Verdict
from site_builder.read.code import Module, Span
from site_builder.read.page import PART_LEVEL
from site_builder.read.test_report import TestReport
from site_builder.render.companion import Companion, Mention
from site_builder.render.explain import explain
from site_builder.render.freshness import freshness
from site_builder.render.html import Html
from site_builder.render.pictures import Picture
from site_builder.render.printed import Printed
from site_builder.render.ranges import place_ranges
from site_builder.resolve.site import PageView, Site
from site_builder.resolve.view import HeadingView


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationEntry:
    """A page, as other pages name it."""

    slug: str
    title: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameView:
    """What every page has around its content.

    Attributes:
        root: the way from this page to the top of the site: empty, or `../` once or more.
        address: the page's own, where site.toml says where the site is served.
        is_article: whether the page is one of those in content/.
        has_feed: whether the site has a feed of what changed.
        runtime_bytes: size of what the browser loads to run Python; 0 where the site has none.
        pdf: the PDF of all pages; empty where there is none. `pdf_pages` is how many it has.
        picture: what shows the page where someone shares a link to it, and its address.
        faces: the files of the faces of the text.
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
    faces: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentsEntry:
    """An entry of a page's table of contents."""

    id: str
    title: str
    is_part: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceEntry:
    """A function on a source page, or a module on the index page.

    Attributes:
        last: the function's last line.
        tests: how many tests call it.
        pdf: where the PDF has it.
    """

    name: str
    href: str
    summary: str
    last: int = 0
    called_by: tuple[str, ...] = ()
    tests: int = 0
    pdf: tuple[Mention, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """A line on a source page, with the equations that it computes.

    Attributes:
        id: the lasting name of the function or class that begins here; None where none does.
    """

    number: int
    id: str | None
    text: str
    equations: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLine:
    """A line on a source page with an id that outlasts changes of its number.

    Attributes:
        name: what begins there, as its module calls it.
        kind: function, method or class.
    """

    id: str
    name: str
    kind: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """A source page."""

    name: str
    file: str
    docstring: str
    permalink: str | None
    functions: tuple[SourceEntry, ...]
    lines: tuple[SourceLine, ...]


def render(  # noqa: PLR0913 - each is a different fact
    site: Site,
    html: Html,
    verdicts: dict[str, Verdict],
    tests: TestReport | None,
    runtime_bytes: int,
    printed: Printed,
    faces: tuple[str, ...],
    cache: Cache,
) -> dict[str, str]:
    """Every text file of the site that templates make, by its path."""

    def frame(path: str, title: str, description: str) -> FrameView:
        return _frame(site, path, title, description, runtime_bytes, printed, faces)

    files = {}
    for page in site.pages:
        path = f"{page.slug}.html"
        own = {e.id: verdicts.get(e.id) for e in site.equations if e.slug == page.slug}
        values: dict[str, object] = {
            "frame": frame(path, page.title, page.summary),
            "companion": printed.companion,
            "heights": printed.heights.get(page.slug, ()),
        }
        files[path] = cache.computed(
            f"html-{page.slug}",
            fingerprint(html.version, page.key, repr(own), repr(values)),
            partial(_page, page, html, values),
        )
    for module in site.sources:
        view = _source(module, site, printed.companion)
        path = site.links.source_page(module.path)
        description = f"The source of {view.file}, with the equations that its lines compute."
        around = frame(path, view.file, description)
        files[path] = cache.computed(
            f"html-{module.name}",
            fingerprint(html.version, repr(around), repr(view)),
            partial(html.render, "source.html", frame=around, source=view),
        )
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
    return {**place_ranges(files), "explain.json": explain(site, verdicts, printed.companion)}


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
    printed: Printed,
    faces: tuple[str, ...],
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
        pdf=printed.companion.path,
        pdf_pages=printed.companion.pages,
        picture=_picture(site, path, printed),
        faces=faces,
    )


def _picture(site: Site, path: str, printed: Printed) -> tuple[Picture, str] | None:
    picture = printed.pictures.get(path) or printed.pictures.get("index.html")
    address = site.settings.address(picture.path) if picture else None
    return (picture, address) if picture and address else None


def _contents(page: PageView) -> tuple[ContentsEntry, ...]:
    return tuple(
        ContentsEntry(id=view.id, title=view.plain, is_part=view.level == PART_LEVEL)
        for view in page.blocks
        if isinstance(view, HeadingView)
    )


def _source(module: Module, site: Site, companion: Companion) -> SourceView:
    equations: dict[int, list[tuple[str, str]]] = {}
    for equation in site.equations:
        for place in equation.computed_by:
            if place.span.path == module.path:
                entry = (f"{equation.slug}.html#{equation.id}", equation.caption)
                equations.setdefault(place.span.first, []).append(entry)
    codebase = site.codebase
    begins = {named.line: named.id for named in named_lines(module)}
    link = site.links.span(Span(path=module.path, first=1, last=1))
    return SourceView(
        name=module.name,
        file=link.file,
        docstring=module.docstring or "",
        permalink=link.permalink and link.permalink.partition("#")[0],
        functions=tuple(
            SourceEntry(
                name=function.qualname,
                href=f"#L{function.span.first}",
                summary=_first_sentence(function.docstring),
                last=function.span.last,
                called_by=tuple(
                    sorted({c.caller.qualname for c in codebase.source_calls_of(function.dotted)})
                ),
                tests=len({c.caller.dotted for c in codebase.test_calls_of(function.dotted)}),
                pdf=companion.of(function.dotted),
            )
            for function in module.functions
        ),
        lines=tuple(
            SourceLine(
                number=number,
                id=begins.get(number),
                text=text,
                equations=tuple(equations.get(number, ())),
            )
            for number, text in enumerate(module.lines, start=1)
        ),
    )


def named_lines(module: Module) -> tuple[NamedLine, ...]:
    """Where functions and classes begin; of a name that is defined twice, the first."""
    found: dict[str, NamedLine] = {}
    for function in module.functions:
        name = function.qualname
        kind = "method" if "." in name else "function"
        id_ = f"fn-{name.replace('.', '-')}"
        line = NamedLine(id=id_, name=name, kind=kind, line=function.span.first)
        found.setdefault(id_, line)
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            id_ = f"class-{node.name}"
            line = NamedLine(id=id_, name=node.name, kind="class", line=first)
            found.setdefault(id_, line)
    return tuple(found.values())


def _modules(site: Site) -> tuple[SourceEntry, ...]:
    """The modules of the subject."""
    return tuple(
        SourceEntry(
            name=site.links.file(module.path),
            href=site.links.source_page(module.path),
            summary=_first_sentence(module.docstring),
        )
        for module in site.sources
        if site.codebase.is_subject(module.name) and module.name != site.codebase.subject
    )


def _facts(site: Site) -> tuple[tuple[str, str], ...]:
    """Numbers about the model, for the index page."""
    run = site.observation.runs[0]
    shapes = run.parameters.values()
    scalars = sum(math.prod(shape) for shape in shapes if isinstance(shape, list))
    return (
        ("parameters", f"{scalars:,}"),
        ("arrays", str(len(shapes))),
        *((run.attributes[symbol], str(size)) for symbol, size in run.dimensions.items()),
    )


def _first_sentence(docstring: str | None) -> str:
    return (docstring or "").strip().partition("\n")[0]
