"""The context in which directives and roles become views: look-ups that report failures."""

import copy
import html
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from site_builder.observe.observation import Observation, Shape
from site_builder.observe.requests import Request
from site_builder.observe.sizes import ShapeView, Sizes, UnknownSizeError
from site_builder.problem import Place, Report
from site_builder.read.anchors import AnchorError, Anchors, CodePlace
from site_builder.read.code import Function, Span
from site_builder.read.codebase import Codebase
from site_builder.read.dataflow import DataFlows
from site_builder.read.equations import Equation
from site_builder.read.page import Fence, Heading, Prose
from site_builder.resolve.claims import VerifiedClaim
from site_builder.resolve.conditions import ConditionError, Namespace, evaluate_condition
from site_builder.resolve.drawing import Drawing
from site_builder.resolve.graph_views import GraphView
from site_builder.resolve.links import Links
from site_builder.resolve.symbol_links import SymbolLinks
from site_builder.resolve.text_views import ClaimView, Maths, Reference, RoleView, Text
from site_builder.resolve.view import HeadingView, ProseView, View

_FRAME_IDS = {"content": Place(path="templates/base.html", line=0)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Everything that is known before pages are resolved.

    Attributes:
        equations: by id, over all pages.
        slugs: the names of the pages.
        numbers: the numbers of headings and equations in print, by page and id.
        namespace: the facts and functions that conditions may use.
        used: collects the lines of code that are looked up or linked, since the page depends on
            their text.
    """

    codebase: Codebase
    anchors: Anchors
    observation: Observation
    flows: DataFlows
    links: Links
    equations: Mapping[str, Equation]
    slugs: frozenset[str]
    numbers: Mapping[tuple[str, str], str]
    namespace: Namespace
    used: set[Span]


class Resolvable(Protocol):
    """Anything that becomes a view, such as a directive."""

    def view(self, context: "Context") -> View | None:
        """The view; None after a report."""


@dataclass(slots=True, kw_only=True)
class Context:
    """The page being resolved: collects problems, formulas, ids and links of its views.

    Attributes:
        links: the symbols of the page, by where they are found.
        requests: the requests of the page's directives.
        unreadable: the fences of the page that could not be read.
        ids: the ids on the page, and where each was defined.
        page_links: links to other pages: slug, fragment and place.
        ranges: the ids of line ranges that name listings.
        programs: the runs whose data is already on the page.
        symbols: the LaTeX of each symbol that has an id.
    """

    facts: Facts
    links: SymbolLinks
    slug: str
    report: Report
    roles: Mapping[str, Callable[[str, "Context", Place], RoleView | None]]
    requests: tuple[Request, ...]
    unreadable: tuple[Fence, ...]
    ids: dict[str, Place] = field(default_factory=lambda: dict(_FRAME_IDS))
    formulas: dict[Maths, Place] = field(default_factory=dict)
    page_links: list[tuple[str, str, Place]] = field(default_factory=list)
    drawings: dict[Drawing, Place] = field(default_factory=dict)
    layouts: dict[GraphView, Place] = field(default_factory=dict)
    ranges: set[str] = field(default_factory=set)
    programs: set[str] = field(default_factory=set)
    symbols: dict[str, str] = field(default_factory=dict)
    claims: list[VerifiedClaim] = field(default_factory=list)

    def views(self, blocks: Iterable[Prose | Heading | Resolvable]) -> tuple[View, ...]:
        """The views of blocks, in order, without blocks that were reported."""
        views = map(self._view, blocks)
        return tuple(view for view in views if view is not None)

    def _view(self, block: Prose | Heading | Resolvable) -> View | None:
        if isinstance(block, Prose):
            return ProseView(text=self.text(block.tokens, block.place, inline=False))
        if isinstance(block, Heading):
            return HeadingView(
                level=block.level,
                id=self.claim_id(block.id, block.place),
                number=self.facts.numbers.get((self.slug, block.id), ""),
                title=self.inline(block.title.content, block.place),
                plain="".join(child.content for child in block.title.children or []),
            )
        return block.view(self)

    def add(self, at: Place, what: str, remedy: str) -> None:
        """Report a problem."""
        self.report.add(at, what, remedy)

    def add_unobserved(self, at: Place, what: str) -> None:
        """Report something that was not observed, unless the code could not be run."""
        remedy = "make one of [observe] runs reach it"
        self.report.add_if_complete(at, what, remedy)

    def claim_id(self, name: str, at: Place) -> str:
        """Define an id on this page; a second definition is reported."""
        if name and name in self.ids:
            first = self.ids[name]
            owner = f"{first.path}:{first.line}" if first.line else first.path
            self.add(at, f"the id '{name}' is taken by {owner}", "choose another")
        self.ids.setdefault(name, at)
        return name

    def free_id(self, name: str, at: Place) -> str | None:
        """Define an id unless the page already has it."""
        return name if self.ids.setdefault(name, at) == at else None

    def place(self, anchor: str, at: Place) -> CodePlace | None:
        """Find an anchor, or report it."""
        try:
            return self.facts.anchors.find(anchor)
        except AnchorError as error:
            self.report.add_if_complete(at, error.what, error.remedy)
            return None

    def function(self, name: str, at: Place) -> Function | None:
        """Find a function, or report it."""
        try:
            return self.facts.anchors.function(name)
        except AnchorError as error:
            self.report.add_if_complete(at, error.what, error.remedy)
            return None

    def shape(self, place: CodePlace, at: Place) -> ShapeView:
        """The observed shape of the value at a place."""
        shapes = self.facts.observation.shapes_at(place)
        if shapes is None:
            self.add_unobserved(
                at,
                f"'{place.anchor}' ({place.span.path}:{place.span.first}) was not computed when the"
                " code ran, so its shape is not known",
            )
            return ShapeView(symbolic="", concrete="")
        return self.named(shapes, place.anchor, at, place.function)

    def named(
        self, shapes: Sequence[Shape], name: str, at: Place, function: Function | None = None
    ) -> ShapeView:
        """A shape in the symbols of the study that called the function, else of the subject."""
        sizes = Sizes([run.dimensions for run in self.facts.observation.runs_of(function)])
        try:
            return sizes.name(list(shapes))
        except UnknownSizeError as error:
            self.add(at, f"the shape of '{name}': {error}", "add it to [dimensions] in site.toml")
            return ShapeView(symbolic="", concrete="")

    def claim(self, sentence: str, condition: str, at: Place) -> ClaimView | None:
        """A claim, if it holds; a false one is reported with its sentence."""
        if not self.facts.observation.runs or not self._holds(sentence, condition, at):
            return None
        text = self.inline(sentence, at)
        claim = VerifiedClaim(
            sentence=text, markdown=sentence, condition=condition, slug=self.slug, place=at
        )
        self.claims.append(claim)
        return ClaimView(sentence=text, condition=condition)

    def _holds(self, sentence: str, condition: str, at: Place) -> bool:
        try:
            true = evaluate_condition(condition, self.facts.namespace)
        except ConditionError as error:
            self.add(at, f"the condition '{condition}' cannot be evaluated: {error}", "correct it")
            return False
        if not true:
            what = f"this claim is false: “{sentence}” (the build evaluated {condition})"
            self.add(at, what, "correct the sentence, or the code")
            return False
        return True

    def maths(self, latex: str, at: Place, *, display: bool, linked: bool = True) -> Maths:
        """Request a formula to be typeset, with its symbols linked."""
        marked = self.links.linked(latex) if linked else latex
        maths = Maths(latex=latex, display=display, linked=marked)
        self.formulas.setdefault(maths, at)
        return maths

    def inline(self, markdown: str, at: Place) -> Text:
        """One line of Markdown, without a paragraph around it."""
        return self.text(_inline_parser().parseInline(markdown), at, inline=True)

    def text(self, tokens: Sequence[Token], at: Place, *, inline: bool) -> Text:
        """Resolve the roles, formulas and links in tokens; `at` is the line before the first."""
        resolved = []
        for token in tokens:
            line = at.line + (0 if inline else (token.map or [0])[0] + 1)
            place = Place(path=at.path, line=line)
            children = token.children
            if children:
                token = copy.copy(token)  # noqa: PLW2901 - the page's tokens are shared as read
                token.children = [*self._children(children, place)]
            resolved.append(token)
        return Text(tokens=tuple(resolved), inline=inline)

    def _children(self, tokens: Sequence[Token], at: Place) -> Iterator[Token]:
        for token in tokens:
            if token.type in ("softbreak", "hardbreak"):
                at = Place(path=at.path, line=at.line + 1)
                yield token
            elif token.type == "math_inline":
                maths = self.maths(token.content, at, display=False)
                yield _with_view(token, "maths", maths)
            elif token.type == "myst_role":
                yield _with_view(token, "role", self._role(token.meta["name"], token.content, at))
            elif token.type == "link_open":
                yield self._link(token, at)
            elif token.type == "image":
                what = f"the picture '{token.attrs['src']}' would be missing from the site"
                self.add(at, what, "describe it in words, or draw it with static/site.css")
            else:
                yield token

    def _role(self, name: str, content: str, at: Place) -> RoleView:
        resolve = self.roles.get(name)
        if resolve is None:
            known = ", ".join(sorted(self.roles))
            self.add(at, f"unknown role '{{{name}}}'", f"use one of {known}")
        view = resolve(content, self, at) if resolve else None
        return view or Reference(text=content, href=None, code=False)

    def _link(self, token: Token, at: Place) -> Token:
        """Redirect links to Markdown files to their pages."""
        token = copy.copy(token)
        token.attrs = dict(token.attrs)
        href = html.unescape(str(token.attrs["href"]))
        address = urlsplit(href)
        if address.scheme or address.netloc:
            return token
        slug = address.path.removesuffix(".md") or self.slug
        if address.path and (not address.path.endswith(".md") or slug not in self.facts.slugs):
            self.add(at, f"the link to '{href}' has no target", "link to a page's .md file")
            return token
        self.page_links.append((slug, address.fragment, at))
        fragment = f"#{address.fragment}" if address.fragment else ""
        token.attrs["href"] = (f"{slug}.html" if address.path else "") + fragment
        return token


def _with_view(token: Token, kind: str, view: object) -> Token:
    return Token(kind, token.tag, 0, content=token.content, meta={"view": view})


@cache
def _inline_parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).use(dollarmath_plugin).use(myst_role_plugin)
