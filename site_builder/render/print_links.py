"""Make the HTML of one page a part of a document that holds all pages."""

import re
from collections.abc import Container

_DROPPED = re.compile(r"<(script|noscript)\b.*?</\1>", re.DOTALL)
# Quotes in text are character references, so that only attributes look like this.
_ATTRIBUTE = re.compile(r' (id|href|for|headers|aria-labelledby|aria-describedby)="([^"]*)"')
_NUMBERED = re.compile(r'(<h[1-6] [^>]*?) data-number="([^"]+)"([^>]*>)')
_ABSOLUTE = re.compile(r"[a-z][a-z0-9+.-]*:")


def as_part(body: str, slug: str, slugs: Container[str], site: str) -> str:
    """The same with ids that hold the page's slug, and links that fit.

    Links between pages stay inside the document. Those to other files of the site begin with its
    address, and are plain text where it has none. Numbers of headings become text, since bookmarks
    hold nothing that styles add.

    Args:
        body: HTML as the templates make it.
        slug: the page's.
        slugs: those of all pages of the document.
        site: where the site is served, or empty.
    """

    def attribute(match: re.Match[str]) -> str:
        name, value = match.groups()
        if name != "href":
            value = " ".join(target(slug, id_) for id_ in value.split())
            return f' {name}="{value}"'
        link = _link(value, slug, slugs, site)
        return f' href="{link}"' if link else ""

    numbered = _NUMBERED.sub(r'\1\3<span class="section-number">\2</span> ', body)
    return _ATTRIBUTE.sub(attribute, _DROPPED.sub("", numbered))


def target(slug: str, id_: str = "") -> str:
    """The id in the whole document of an id on a page; without one, of the page."""
    return f"{slug}:{id_}"


def _link(href: str, slug: str, slugs: Container[str], site: str) -> str:
    if _ABSOLUTE.match(href):
        return href
    path, _, fragment = href.partition("#")
    other = path.removesuffix(".html") if path else slug
    if other in slugs:
        return f"#{target(other, fragment)}"
    return f"{site}/{href}" if site else ""
