"""Everything that can be found on the site.

Records are made from the same views as the pages, so a result cannot say what its page does not.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise

from site_builder.cache import Cache
from site_builder.read.code import Function, Module
from site_builder.read.page import PART_LEVEL
from site_builder.resolve.search import PageSearch, SearchRecord
from site_builder.resolve.site import PageView, Site
from site_builder.resolve.text_views import Maths, TypesetMaths
from site_builder.resolve.view import HeadingView

_TESTS = "tests"  # tests are reached from what they test, so they are not searched


def search_records(
    site: Site, formulas: Mapping[Maths, TypesetMaths], cache: Cache
) -> list[SearchRecord]:
    """All records, page by page, then file by file."""
    records: list[SearchRecord] = []
    shown: dict[str, str] = {}  # where pages list functions, by their address on the source pages
    for page in site.pages:
        records += cache.computed(
            f"records-{page.slug}", page.key, partial(_page_records, page, formulas)
        )
        for view in page.blocks:
            for id_, link in view.listed:
                shown.setdefault(link.href, f"{page.slug}.html#{id_}")
    for module in site.sources:
        if module.name.partition(".")[0] != _TESTS:
            records += [_function(function, site, shown) for function in module.functions]
            records += _lines(module, site)
    return records


def _page_records(page: PageView, formulas: Mapping[Maths, TypesetMaths]) -> list[SearchRecord]:
    return [*page_records(page, formulas)]


def page_records(page: PageView, formulas: Mapping[Maths, TypesetMaths]) -> Iterator[SearchRecord]:
    """The records of a page: its sections, and in between, everything else with an id."""
    search = PageSearch(slug=page.slug, where=page.title, formulas=formulas)
    section = SearchRecord(kind="Page", title=page.title, href=f"{page.slug}.html", where="")
    texts = [page.summary]
    for view in page.blocks:
        if isinstance(view, HeadingView):
            yield replace(section, text=" ".join(texts))
            is_part = view.level <= PART_LEVEL
            if is_part:
                where = f"{page.title}: {view.plain}" if view.plain else page.title
                search = PageSearch(slug=page.slug, where=where, formulas=formulas)
            section = SearchRecord(
                kind="Section",
                title=search.plain(view.title),
                href=f"{page.slug}.html#{view.id}",
                where=page.title if is_part else search.where,
            )
            texts = []
        texts += view.prose(search)
        yield from view.records(search)
    yield replace(section, text=" ".join(texts))


def _function(function: Function, site: Site, shown: Mapping[str, str]) -> SearchRecord:
    """The record of a function: on the page that lists it, else in its file."""
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
    """The lines of a file in segments: functions, and the code between them."""
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
