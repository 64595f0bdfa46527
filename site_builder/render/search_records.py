"""What can be found on the site, and where it is: one record for each thing that has an address.

The records come from the views that the pages are rendered from, so a result cannot say what its
page does not.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import pairwise

from markdown_it.token import Token

from site_builder.read.code import Function, Module
from site_builder.read.equations import PART_LEVEL
from site_builder.resolve.cell_views import CellView, ExerciseView, ListingView
from site_builder.resolve.code_views import PrintedView
from site_builder.resolve.example_views import ExampleView, FigureView, TraceView
from site_builder.resolve.site import PageView, Site
from site_builder.resolve.text_views import ClaimView, Maths, Reference, Text
from site_builder.resolve.views import (
    AboutView,
    BlockView,
    EquationView,
    HeadingView,
    NoteView,
    ProseView,
    SymbolsView,
    SymbolView,
)

_MATHML = re.compile(r"<math.*?</math>", re.DOTALL)
_ANNOTATION = re.compile(r"<annotation.*?</annotation>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_TESTS = "tests"  # tests are linked from what they test


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRecord:
    """Something that can be found.

    Attributes:
        kind: what it is, such as `Equation`; static/js/search/results.js has them all.
        is_code: whether the title is a name in the code.
        href: its address, from the top of the site.
        where: the page and part, or the file, that it stands in.
        text: what an excerpt is made from.
        words: what else it is found by.
        first: where the text is lines of a file, the number of the first: the address is the page
            of that file, and a result leads to one of the lines.
        maths: MathML of its formula; empty where it has none.
    """

    kind: str
    title: str
    href: str
    where: str
    is_code: bool = False
    text: str = ""
    words: str = ""
    first: int | None = None
    maths: str = ""


def search_records(site: Site, formulas: Mapping[Maths, str]) -> list[SearchRecord]:
    """All that can be found, page by page, then file by file."""
    records: list[SearchRecord] = []
    shown: dict[str, str] = {}  # where pages show functions, by their place on the source pages
    for page in site.pages:
        records += _PageRecords(page, formulas).records()
        for view in page.blocks:
            listing = view.listing if isinstance(view, CellView) else view
            if isinstance(listing, ListingView) and listing.id:
                shown.setdefault(listing.link.href, f"{page.slug}.html#{listing.id}")
    for module in site.sources:
        if module.name.partition(".")[0] != _TESTS:
            records += [_function(function, site, shown) for function in module.functions]
            records += _lines(module, site)
    return records


class _PageRecords:
    """Goes through the blocks of a page; text belongs to the heading above it."""

    def __init__(self, page: PageView, formulas: Mapping[Maths, str]) -> None:
        self._page = page
        self._formulas = formulas
        self._part = ""
        self._heading: HeadingView | None = None
        self._texts: list[str] = []

    def records(self) -> Iterator[SearchRecord]:
        for view in self._page.blocks:
            if isinstance(view, HeadingView):
                yield self._section()
                self._begin(view)
            else:
                self._texts += self._prose(view)
                yield from self._things(view)
        yield self._section()

    def _begin(self, heading: HeadingView) -> None:
        self._heading, self._texts = heading, []
        if heading.level <= PART_LEVEL:
            self._part = heading.plain

    def _section(self) -> SearchRecord:
        """The section that ends here: the page's own is what stands above its first heading."""
        page, heading = self._page, self._heading
        if heading is None:
            texts = [page.summary, *self._texts]
            href = f"{page.slug}.html"
            return SearchRecord(
                kind="Page", title=page.title, href=href, where="", text=" ".join(texts)
            )
        is_part = heading.level <= PART_LEVEL
        return SearchRecord(
            kind="Section",
            title=_plain(heading.title, self._formulas),
            href=f"{page.slug}.html#{heading.id}",
            where=page.title if is_part else self._where,
            text=" ".join(self._texts),
        )

    @property
    def _where(self) -> str:
        return f"{self._page.title}: {self._part}" if self._part else self._page.title

    def _prose(self, view: BlockView) -> Iterator[str]:
        """What a block adds to the text of its section."""
        if isinstance(view, ProseView):
            yield _plain(view.text, self._formulas)
        elif isinstance(view, ClaimView):
            yield _plain(view.sentence, self._formulas)
        elif isinstance(view, PrintedView):
            yield view.output
        elif isinstance(view, AboutView | NoteView):
            for inner in view.body:
                yield from self._prose(inner)

    def _things(self, view: BlockView) -> Iterator[SearchRecord]:
        """The records of what has an id of its own."""
        if isinstance(view, EquationView):
            yield self._equation(view)
        elif isinstance(view, SymbolsView):
            yield from (self._symbol(row, row.id) for row in view.rows if row.id)
        elif isinstance(view, ExampleView):
            text = _plain(view.note, self._formulas)
            labels = " ".join(row.label for row in view.rows)
            yield self._thing("Example", view.id, view.title, text, labels)
        elif isinstance(view, TraceView):
            names = " ".join(part.name for part in view.parts)
            yield self._thing("Example", view.id, view.title, "", names)
        elif isinstance(view, FigureView):
            title, _, text = _plain(view.caption, self._formulas).partition(". ")
            yield self._thing("Figure", view.id, title.removesuffix("."), text, view.kind)
        elif isinstance(view, ExerciseView):
            task = " ".join(text for inner in view.task for text in self._prose(inner))
            yield self._thing("Exercise", view.id, view.title, task, " ".join(view.stub))

    def _equation(self, view: EquationView) -> SearchRecord:
        lines = " ".join(link.text for link in view.lines)
        return SearchRecord(
            kind="Equation",
            title=_plain(view.caption, self._formulas),
            href=f"{self._page.slug}.html#{view.id}",
            where=self._where,
            words=f"{view.id.removeprefix('eq-')} {view.maths.latex} {lines}",
            maths=_mathml(self._formulas.get(view.maths, "")),
        )

    def _symbol(self, row: SymbolView, id_: str) -> SearchRecord:
        maths = _mathml(self._formulas.get(row.maths, ""))
        return SearchRecord(
            kind="Symbol",
            title=row.name,
            href=f"{self._page.slug}.html#{id_}",
            where=self._where,
            text=_plain(row.meaning, self._formulas),
            words=f"{row.code or ''} {row.latex} {_characters(maths)} {row.shape.symbolic}",
            maths=maths,
        )

    def _thing(self, kind: str, id_: str, title: str, text: str, words: str) -> SearchRecord:
        href = f"{self._page.slug}.html#{id_}"
        return SearchRecord(
            kind=kind, title=title, href=href, where=self._where, text=text, words=words
        )


def _function(function: Function, site: Site, shown: Mapping[str, str]) -> SearchRecord:
    """A function: on the page that shows it, or else in its file."""
    link = site.links.function(function)
    names = " ".join(parameter.name for parameter in function.parameters)
    return SearchRecord(
        kind="Function",
        title=function.qualname,
        is_code=True,
        href=shown.get(link.href, link.href),
        where=link.text,
        text=(function.docstring or "").strip().partition("\n\n")[0].replace("`", ""),
        words=f"{function.dotted} {names}",
    )


def _lines(module: Module, site: Site) -> Iterator[SearchRecord]:
    """The lines of a file in pieces: functions, and what stands between them."""
    begins = {1, len(module.lines) + 1}
    owner: dict[int, str] = {}
    for function in module.functions:
        begins |= {function.span.first, function.span.last + 1}
        owner[function.span.first] = function.qualname
    for first, after in pairwise(sorted(begins)):
        text = "\n".join(module.lines[first - 1 : after - 1])
        if text.strip():
            yield SearchRecord(
                kind="Source",
                title=owner.get(first, ""),
                is_code=True,
                href=site.links.source_page(module.path),
                where=site.links.file(module.path),
                text=text,
                first=first,
            )


def _plain(text: Text, formulas: Mapping[Maths, str]) -> str:
    """Markdown as plain text on one line."""
    return " ".join("".join(_pieces(text.tokens, formulas)).split())


def _pieces(tokens: Iterable[Token], formulas: Mapping[Maths, str]) -> Iterator[str]:
    for token in tokens:
        if token.children is not None:
            yield from _pieces(token.children, formulas)
        elif token.type == "maths":
            yield _characters(_mathml(formulas.get(token.meta["view"], "")))
        elif token.type == "role":
            view: Reference | ClaimView = token.meta["view"]
            yield view.text if isinstance(view, Reference) else _plain(view.sentence, formulas)
        else:
            yield token.content
            if token.block or token.type in ("softbreak", "hardbreak"):
                yield " "


def _mathml(html: str) -> str:
    """The MathML of a formula that KaTeX has typeset, without the LaTeX in it."""
    found = _MATHML.search(html)
    return _ANNOTATION.sub("", found.group()) if found else ""


def _characters(mathml: str) -> str:
    """The letters and signs of a formula, in their order."""
    return unescape(_TAG.sub("", mathml))
