"""Join pages, code and observations into one complete site, or report all problems."""

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from site_builder.cache import Cache, fingerprint
from site_builder.observe.observation import Observation
from site_builder.observe.sizes import Sizes
from site_builder.problem import Place, Report
from site_builder.read.code import Module, Span
from site_builder.read.codebase import Codebase
from site_builder.read.content import MADE_BY_THE_BUILD
from site_builder.read.equations import Equation
from site_builder.read.history import Commit
from site_builder.read.numbers import number_pages
from site_builder.read.page import Fence
from site_builder.read.revision import Revision
from site_builder.read.settings import SETTINGS_PATH, Settings
from site_builder.resolve.claims import VerifiedClaim, condition_namespace
from site_builder.resolve.context import Context, Facts
from site_builder.resolve.directive import Document
from site_builder.resolve.drawing import Drawing
from site_builder.resolve.graph_views import GraphView
from site_builder.resolve.links import Links
from site_builder.resolve.model_map import ModelMapView, model_map_view
from site_builder.resolve.project import Project
from site_builder.resolve.roles import ROLES
from site_builder.resolve.symbol_links import SymbolLinks
from site_builder.resolve.text_views import Maths
from site_builder.resolve.view import HeadingView, View
from site_builder.version import builder_version

_LINES = re.compile(r"(?P<file>.+-)L(?P<first>\d+)-L(?P<last>\d+)")
_PAGE_NAME = re.compile(r"[\w-][\w.-]*(?:/[\w-][\w.-]*)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """A page, ready to be rendered.

    Attributes:
        key: a fingerprint of its text and of all facts that it may use.
        path: its Markdown file.
        files: that file, and the files that it includes.
        linked: the lines of code that it links to.
        ids: the ids that links to it may name.
        has_notebook: whether it is also published as a notebook.
    """

    key: str
    slug: str
    path: str
    files: frozenset[str]
    linked: frozenset[Span]
    ids: frozenset[str]
    title: str
    summary: str
    blocks: tuple[View, ...]
    is_live: bool
    has_notebook: bool

    @property
    def passages(self) -> tuple[tuple[View, ...], ...]:
        """The blocks from each heading to the next; first, those before any heading."""
        starts = [i for i, view in enumerate(self.blocks) if isinstance(view, HeadingView)]
        ends = pairwise([0, *starts, len(self.blocks)])
        return tuple(self.blocks[start:end] for start, end in ends if start < end)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedPage:
    """A page, and what it needs from the rest of the build.

    Attributes:
        formulas, drawings, layouts: what to render for it, each with the place of its first use.
        links: its links to pages of the site: slug, fragment and place.
        ranges: ids of line ranges of its listings.
        unreadable: the fences that could not be read.
    """

    view: PageView
    formulas: dict[Maths, Place]
    drawings: dict[Drawing, Place]
    layouts: dict[GraphView, Place]
    claims: tuple[VerifiedClaim, ...]
    links: tuple[tuple[str, str, Place], ...]
    ranges: frozenset[str]
    unreadable: tuple[Fence, ...]

    def may_have_had(self, fragment: str) -> bool:
        """Whether an id may belong to a fence that could not be read, which was reported."""
        name = fragment.partition("-")[2]
        return bool(name) and any(
            name in text
            for fence in self.unreadable
            for text in (fence.argument, *(line.text for line in fence.body))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Everything that will be rendered.

    Attributes:
        history: the commits, newest first; empty if unknown.
        formulas: each formula with the place where it is first used.
        drawings: each drawing with the place where it is first used.
        layouts: each graph with the place where it is first used.
        model: the map of the model, for the index page.
        source_ranges: the line ranges of files that pages link to.
        page_ranges: ids of line ranges in listings, by page and by the id of the first line.
    """

    settings: Settings
    revision: Revision
    history: tuple[Commit, ...]
    codebase: Codebase
    observation: Observation
    links: Links
    equations: tuple[Equation, ...]
    numbers: Mapping[tuple[str, str], str]
    pages: tuple[PageView, ...]
    sources: tuple[Module, ...]
    formulas: dict[Maths, Place]
    drawings: dict[Drawing, Place]
    layouts: dict[GraphView, Place]
    model: ModelMapView | None
    source_ranges: frozenset[Span]
    page_ranges: dict[str, dict[str, tuple[str, ...]]]
    claims: tuple[VerifiedClaim, ...]


def resolve(  # noqa: PLR0913 - each is a different fact
    project: Project,
    revision: Revision,
    history: tuple[Commit, ...],
    observation: Observation,
    cache: Cache,
    report: Report,
) -> Site:
    """Make the site, and report problems."""
    settings, codebase = project.settings, project.codebase
    documents = project.documents
    for runs in observation.studies:
        Sizes([run.dimensions for run in runs]).check(report)
    numbers = number_pages(document.page for document in documents)

    def facts_of(used: set[Span]) -> Facts:
        anchors = project.anchors.noting(used)
        return Facts(
            codebase=codebase,
            anchors=anchors,
            observation=observation,
            flows=project.flows,
            links=Links(codebase, revision),
            equations=project.equations,
            slugs=frozenset(document.page.slug for document in documents),
            numbers=numbers,
            namespace=condition_namespace(codebase, anchors, observation)
            if observation.runs
            else {},
            used=used,
        )

    key = _facts_key(project, revision, observation)
    resolved = {
        document.page.slug: _resolved(document, f"{key} {position}", facts_of, cache, report)
        for position, document in enumerate(documents)
    }
    facts = facts_of(set())
    _check_links(resolved, report)
    _check_moved(settings, {*resolved, *_other_pages(codebase, facts.links)}, report)
    formulas: dict[Maths, Place] = {}
    drawings: dict[Drawing, Place] = {}
    layouts: dict[GraphView, Place] = {}
    for page in resolved.values():
        formulas |= page.formulas
        drawings |= page.drawings
        layouts |= page.layouts
    model = model_map_view(project, facts, report) if project.model and observation.runs else None
    if model:
        layouts.setdefault(model.graph, Place(path=SETTINGS_PATH, line=0))
    return Site(
        settings=settings,
        revision=revision,
        history=history,
        codebase=codebase,
        observation=observation,
        links=facts.links,
        equations=tuple(facts.equations.values()),
        numbers=facts.numbers,
        pages=tuple(page.view for page in resolved.values()),
        sources=tuple(codebase.modules.values()),
        formulas=formulas,
        drawings=drawings,
        layouts=layouts,
        model=model,
        source_ranges=frozenset(
            span
            for linked in (facts.links.linked, *(page.view.linked for page in resolved.values()))
            for span in linked
            if span.first < span.last
        ),
        page_ranges=_page_ranges(resolved),
        claims=tuple(claim for page in resolved.values() for claim in page.claims),
    )


def _facts_key(project: Project, revision: Revision, observation: Observation) -> str:
    """A fingerprint of what pages may use besides their text and the lines of code they name."""
    return fingerprint(
        builder_version(),
        repr(project.settings),
        repr(revision),
        observation.version,
        project.codebase.names_and_calls,
        *(f"{e.slug} {e.id} {e.caption}" for e in project.equations.values()),
        *(document.page.slug for document in project.documents),
    )


def _resolved(
    document: Document,
    facts_key: str,
    facts_of: Callable[[set[Span]], Facts],
    cache: Cache,
    report: Report,
) -> ResolvedPage:
    """Resolve a page, or take it from the cache: it is a function of its text and the facts.

    The lines of code that it uses are only known once it is resolved. They are cached with it, and
    the cached page is valid only while all of them have the same text.
    """
    page = document.page
    name, key = f"page-{page.slug}", fingerprint(facts_key, page.version)
    codebase = facts_of(set()).codebase
    known: tuple[frozenset[Span], str, ResolvedPage] | None = cache.latest(name, key)
    if known and codebase.text_of(sorted(known[0])) == known[1]:
        return known[2]
    own, used = Report(), {*document.used}
    facts = facts_of(used)
    context = Context(
        facts=facts,
        links=SymbolLinks(document.symbols, document.equations, codebase),
        slug=page.slug,
        report=own,
        roles=ROLES,
        requests=tuple(document.requests()),
        unreadable=document.unreadable,
    )
    views = context.views(document.blocks)
    used |= facts.links.linked
    text = codebase.text_of(sorted(used))
    found = _resolved_page(document, views, fingerprint(key, text), context)
    if own.is_empty and not document.unreadable:
        cache.keep(name, key, (frozenset(used), text, found))
    report.extend(own)
    return found


def _resolved_page(
    document: Document, views: tuple[View, ...], key: str, context: Context
) -> ResolvedPage:
    page = document.page
    view = PageView(
        key=key,
        slug=page.slug,
        path=page.path,
        files=frozenset({page.path, *(block.place.path for block in page.blocks)}),
        linked=frozenset(context.facts.links.linked),
        ids=frozenset(context.ids),
        title=page.title,
        summary=page.summary,
        blocks=views,
        is_live=bool(context.programs),
        has_notebook=page.has_notebook,
    )
    return ResolvedPage(
        view=view,
        formulas=context.formulas,
        drawings=context.drawings,
        layouts=context.layouts,
        claims=tuple(context.claims),
        links=tuple(context.page_links),
        ranges=frozenset(context.ranges),
        unreadable=document.unreadable,
    )


def _check_links(pages: Mapping[str, ResolvedPage], report: Report) -> None:
    """Report links between pages whose id does not exist."""
    for page in pages.values():
        for slug, fragment, at in page.links:
            target = pages[slug]
            if not fragment or _has(target.view.ids, fragment) or target.may_have_had(fragment):
                continue
            what = f"the link to '#{fragment}' has no target: {slug}.md has no such id"
            remedy = "use the id of a heading, equation, symbol or example"
            made_from_code = fragment.startswith(("ex-", "fn-", "sym-")) or "-L" in fragment
            add = report.add_if_complete if made_from_code else report.add
            add(at, what, remedy)


def _page_ranges(pages: Mapping[str, ResolvedPage]) -> dict[str, dict[str, tuple[str, ...]]]:
    """The line ranges on each page that name a listing or are the target of a link."""
    requested = {slug: set(page.ranges) for slug, page in pages.items()}
    for page in pages.values():
        for slug, fragment, _ in page.links:
            if _LINES.fullmatch(fragment):
                requested[slug].add(fragment)
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for slug, ranges in requested.items():
        for id_ in sorted(ranges):
            first = id_.rpartition("-L")[0]
            of_page = found.setdefault(slug, {})
            of_page[first] = (*of_page.get(first, ()), id_)
    return found


def _has(ids: Container[str], fragment: str) -> bool:
    """Whether a page has an id, or all lines of a range such as `ops-L43-L45`."""
    lines = _LINES.fullmatch(fragment)
    if fragment in ids or not lines:
        return fragment in ids
    first, last = int(lines["first"]), int(lines["last"])
    return first < last and all(f"{lines['file']}L{n}" in ids for n in range(first, last + 1))


def _other_pages(codebase: Codebase, links: Links) -> Iterator[str]:
    """The pages that the build generates."""
    yield from MADE_BY_THE_BUILD
    for module in codebase.modules.values():
        yield links.source_page(module.path).removesuffix(".html")


def _check_moved(settings: Settings, names: Container[str], report: Report) -> None:
    """Check that moved pages no longer exist, and that their replacements do."""
    for old, new in settings.moved.items():
        if old in names or not _PAGE_NAME.fullmatch(old):
            what = f"[moved] says that '{old}' was a page, which is impossible"
            report.add(
                Place(path=SETTINGS_PATH), what, "name a page that was renamed, without .html"
            )
        if new not in names:
            what = f"[moved] leads from '{old}' to '{new}', which is not a page"
            report.add(Place(path=SETTINGS_PATH), what, "name a page of the site, without .html")
