"""Published pages, and ids that links may name. They must remain valid."""

import re

from site_builder.problem import Place, Report
from site_builder.read.published import PUBLISHED_PATH, PublishedId
from site_builder.render.source import named_lines
from site_builder.resolve.site import Site

_LINES = re.compile(r"(?:.+-)?L\d+(?:-L\d+)?")  # line numbers change with the code
_SKIP_LINK = "content"
_MOST_NAMED = 5
_SECTIONS = {  # of pages that the build generates; a test compares them with the templates
    "index": frozenset({"model", "pages", "source"}),
    "freshness": frozenset({"claims", "equations", "symbols", "tests"}),
}


def published(site: Site) -> frozenset[str]:
    """Everything published, as written in content/ids.txt: `page` and `page#id`."""
    ids = {**_SECTIONS, **{page.slug: page.ids for page in site.pages}}
    lasting = (
        f"{page}#{id_}"
        for page, of_page in ids.items()
        for id_ in of_page
        if id_ != _SKIP_LINK and not _LINES.fullmatch(id_)
    )
    return frozenset({*_names(site), *lasting})


def _names(site: Site) -> set[str]:
    sources = (site.links.source_page(module.path) for module in site.sources)
    return {
        *_SECTIONS,
        *(page.slug for page in site.pages),
        *(path.removesuffix(".html") for path in sources),
        *site.settings.moved,
    }


def _ids(site: Site) -> dict[str, frozenset[str]]:
    """The ids of each page that external links may name, except for line numbers."""
    return {
        **dict.fromkeys(site.settings.moved, frozenset[str]()),
        **{
            site.links.source_page(module.path).removesuffix(".html"): frozenset(
                named.id for named in named_lines(module)
            )
            for module in site.sources
        },
        **_SECTIONS,
        **{page.slug: page.ids for page in site.pages},
    }


def check_published(listed: tuple[PublishedId, ...], site: Site, report: Report) -> None:
    """Report published pages and ids that no longer exist.

    Args:
        listed: everything ever published.
        site: the site, with its redirects from moved pages.
        report: receives the problems.
    """
    moved = site.settings.moved
    ids = _ids(site)
    new = sorted(published(site) - {str(entry) for entry in listed})
    gone: set[str] = set()
    for entry in listed:
        page = moved.get(entry.page, entry.page)
        if page not in ids and entry.page not in gone:
            gone.add(entry.page)
            what = f"the page '{entry.page}' was published and no longer exists"
            remedy = "name the page that replaces it under [moved] in content/site.toml"
            report.add(Place(path=PUBLISHED_PATH, line=entry.line), what, remedy)
        elif page in ids and entry.id and entry.id not in ids[page]:
            what = f"the id '{entry.id}' was published and is no longer on the page '{page}'"
            remedy = f"restore it, or put ':::{{alias}} {entry.id}' there, for its replacement"
            report.add(
                Place(path=PUBLISHED_PATH, line=entry.line), what, remedy + _candidates(page, new)
            )


def _candidates(page: str, new: list[str]) -> str:
    """A note of new ids on a page: one of them may be the missing id, renamed."""
    names = [
        id_ for name, _, id_ in (entry.partition("#") for entry in new) if name == page and id_
    ]
    return f" (new there: {', '.join(names[:_MOST_NAMED])})" if names else ""
