"""Join pages, code and observations into one complete site, or report everything that is wrong."""

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from site_builder.observe.observation import Observation
from site_builder.observe.sizes import Sizes
from site_builder.problem import Report
from site_builder.read.code import Module
from site_builder.read.codebase import Codebase
from site_builder.read.content import MADE_BY_THE_BUILD
from site_builder.read.equations import Equation
from site_builder.read.history import Commit
from site_builder.read.numbers import number_pages
from site_builder.read.page import Place
from site_builder.read.revision import Revision
from site_builder.read.settings import SETTINGS_PATH, Settings
from site_builder.resolve.claims import Claim, known_facts
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

_LINES = re.compile(r"(?P<file>.+-)L(?P<first>\d+)-L(?P<last>\d+)")
_PAGE_NAME = re.compile(r"[\w-][\w.-]*(?:/[\w-][\w.-]*)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """A page, ready to be rendered.

    Attributes:
        path: its Markdown file.
        files: that one, and those that it includes.
        has_notebook: whether it is also published as a notebook.
    """

    slug: str
    path: str
    files: frozenset[str]
    title: str
    summary: str
    blocks: tuple[View, ...]
    is_live: bool
    has_notebook: bool

    @property
    def passages(self) -> tuple[tuple[View, ...], ...]:
        """The blocks from each heading to the next; before the first, those that none heads."""
        starts = [i for i, view in enumerate(self.blocks) if isinstance(view, HeadingView)]
        ends = pairwise([0, *starts, len(self.blocks)])
        return tuple(self.blocks[start:end] for start, end in ends if start < end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Everything that will be rendered.

    Attributes:
        history: the commits, the newest first; empty where they are not known.
        formulas: each formula with the place where it is first used.
        drawings: each drawing, likewise.
        layouts: the graphs, likewise.
        model: the map of the model, for the index page.
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
    claims: tuple[Claim, ...]


def resolve(
    project: Project,
    revision: Revision,
    history: tuple[Commit, ...],
    observation: Observation,
    report: Report,
) -> Site:
    """Make the site; what cannot be joined is reported."""
    settings, codebase, anchors = project.settings, project.codebase, project.anchors
    documents = project.documents
    for runs in observation.studies:
        Sizes([run.dimensions for run in runs]).check(report)
    facts = Facts(
        codebase=codebase,
        anchors=anchors,
        observation=observation,
        flows=project.flows,
        links=Links(codebase, revision),
        equations=project.equations,
        slugs=frozenset(document.page.slug for document in documents),
        numbers=number_pages(document.page for document in documents),
        known=known_facts(codebase, anchors, observation) if observation.runs else {},
    )
    contexts = {document.page.slug: _context(document, facts, report) for document in documents}
    pages = tuple(_page(document, contexts[document.page.slug]) for document in documents)
    _check_links(contexts)
    _check_moved(settings, {*contexts, *_other_pages(codebase, facts.links)}, report)
    formulas: dict[Maths, Place] = {}
    drawings: dict[Drawing, Place] = {}
    layouts: dict[GraphView, Place] = {}
    for context in contexts.values():
        formulas |= context.formulas
        drawings |= context.drawings
        layouts |= context.layouts
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
        pages=pages,
        sources=tuple(codebase.modules.values()),
        formulas=formulas,
        drawings=drawings,
        layouts=layouts,
        model=model,
        claims=tuple(claim for context in contexts.values() for claim in context.claims),
    )


def _context(document: Document, facts: Facts, report: Report) -> Context:
    return Context(
        facts=facts,
        links=SymbolLinks(document.symbols, document.equations, facts.codebase),
        slug=document.page.slug,
        report=report,
        roles=ROLES,
        requests=tuple(document.requests()),
        lost=document.lost,
    )


def _page(document: Document, context: Context) -> PageView:
    page, views = document.page, context.views(document.blocks)
    return PageView(
        slug=page.slug,
        path=page.path,
        files=frozenset({page.path, *(block.place.path for block in page.blocks)}),
        title=page.title,
        summary=page.summary,
        blocks=views,
        is_live=bool(context.programs),
        has_notebook=page.has_notebook,
    )


def _check_links(contexts: dict[str, Context]) -> None:
    """Every link between pages must lead to an id that the other page has."""
    for context in contexts.values():
        for slug, fragment, at in context.page_links:
            target = contexts[slug]
            known = not fragment or _has(target.ids, fragment) or target.may_have_had(fragment)
            if not known:
                what = f"the link to '#{fragment}' leads nowhere: {slug}.md has no such id"
                remedy = "use the id of a heading, equation, symbol or example"
                made_from_code = fragment.startswith(("ex-", "fn-", "sym-")) or "-L" in fragment
                add = context.report.add_dependent if made_from_code else context.report.add
                add(at.path, at.line, what, remedy)


def _has(ids: Container[str], fragment: str) -> bool:
    """Whether a page has an id, or all lines of a range such as `ops-L43-L45`."""
    lines = _LINES.fullmatch(fragment)
    if fragment in ids or not lines:
        return fragment in ids
    first, last = int(lines["first"]), int(lines["last"])
    return first < last and all(f"{lines['file']}L{n}" in ids for n in range(first, last + 1))


def _other_pages(codebase: Codebase, links: Links) -> Iterator[str]:
    """The pages that the build makes by itself."""
    yield from MADE_BY_THE_BUILD
    for module in codebase.modules.values():
        yield links.source_page(module.path).removesuffix(".html")


def _check_moved(settings: Settings, names: Container[str], report: Report) -> None:
    """A page that moved is gone, and the one that replaces it is there."""
    for old, new in settings.moved.items():
        if old in names or not _PAGE_NAME.fullmatch(old):
            what = f"[moved] says that '{old}' was a page, which cannot be"
            report.add(SETTINGS_PATH, 0, what, "name a page that was renamed, without .html")
        if new not in names:
            what = f"[moved] leads from '{old}' to '{new}', which is no page"
            report.add(SETTINGS_PATH, 0, what, "name a page of the site, without .html")
