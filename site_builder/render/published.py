"""What the site publishes: pages, and the ids on them that it links to. They have to last."""

import html
import posixpath
import re
from collections.abc import Iterator, Mapping

from site_builder.problem import Report
from site_builder.read.published import PUBLISHED_PATH, PublishedId

_ID = re.compile(r'\sid="([^"]+)"')
_LINK = re.compile(r'\shref="([^"#:]*)#([^"]+)"')
_LINES = re.compile(r"(?:.+-)?L\d+(?:-L\d+)?")  # they move with the code
_UNPUBLISHED = {"404"}
_SKIP_LINK = "content"
_MOST_NAMED = 5


def published(pages: Mapping[str, str]) -> frozenset[str]:
    """All that is published, as content/ids.txt writes it: `page` and `page#id`.

    Args:
        pages: the text of each HTML file of the site by its path.
    """
    names = {_name(path) for path in pages} - _UNPUBLISHED
    return frozenset(names | {f"{name}#{id_}" for name, id_ in _linked(pages) if name in names})


def _linked(pages: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    ids = {path: _ids(text) for path, text in pages.items()}
    for path, text in pages.items():
        for file, fragment in set(_LINK.findall(text)):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file or path))
            target = target if file else path
            id_ = html.unescape(fragment)
            if id_ in ids.get(target, ()) and id_ != _SKIP_LINK and not _LINES.fullmatch(id_):
                yield _name(target), id_


def check_published(
    listed: tuple[PublishedId, ...],
    moved: Mapping[str, str],
    pages: Mapping[str, str],
    report: Report,
) -> None:
    """Report what was published and leads nowhere now.

    Args:
        listed: what was ever published.
        moved: the names of pages that were renamed, with their new ones.
        pages: the text of each HTML file of the site by its path.
        report: takes the problems.
    """
    ids = {_name(path): _ids(text) for path, text in pages.items()}
    new = sorted(published(pages) - {str(entry) for entry in listed})
    gone: set[str] = set()
    for entry in listed:
        page = moved.get(entry.page, entry.page)
        if page not in ids and entry.page not in gone:
            gone.add(entry.page)
            what = f"the page '{entry.page}' was published and is gone"
            remedy = "name the page that replaces it under [moved] in content/site.toml"
            report.add(PUBLISHED_PATH, entry.line, what, remedy)
        elif page in ids and entry.id and entry.id not in ids[page]:
            what = f"the id '{entry.id}' was published and is no longer on the page '{page}'"
            remedy = f"give it back, or put ':::{{alias}} {entry.id}' there, for what replaces it"
            report.add(PUBLISHED_PATH, entry.line, what, remedy + _candidates(page, new))


def _candidates(page: str, new: list[str]) -> str:
    """The ids that are new on a page: one of them may be the old one, renamed."""
    names = [
        id_ for name, _, id_ in (entry.partition("#") for entry in new) if name == page and id_
    ]
    return f" (new there: {', '.join(names[:_MOST_NAMED])})" if names else ""


def _name(path: str) -> str:
    return path.removesuffix(".html")


def _ids(text: str) -> frozenset[str]:
    return frozenset(map(html.unescape, _ID.findall(text)))
