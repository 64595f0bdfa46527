"""Adapt the HTML of one page for a document of all pages."""

import re
from collections.abc import Container

_DROPPED = re.compile(r"<(script|noscript)\b.*?</\1>", re.DOTALL)
# Quotes in text are escaped, so only attributes match this.
_ATTRIBUTE = re.compile(r' (id|href|for|headers|aria-labelledby|aria-describedby)="([^"]*)"')
_NUMBERED = re.compile(r'(<h[1-6] [^>]*?) data-number="([^"]+)"([^>]*>)')
_ABSOLUTE = re.compile(r"[a-z][a-z0-9+.-]*:")


def as_part(body: str, slug: str, slugs: Container[str], site: str) -> str:
    """Prefix ids with the page's slug, and adapt links.

    Links between pages stay inside the document. Links to other files of the site become absolute,
    or plain text if the site has no address. Heading numbers become text, since bookmarks omit
    what styles generate.

    Args:
        body: HTML from the templates.
        slug: the page's.
        slugs: the slugs of all pages of the document.
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
    """The id in the whole document for an id on a page, or for the page itself."""
    return f"{slug}:{id_}"


def _link(href: str, slug: str, slugs: Container[str], site: str) -> str:
    if _ABSOLUTE.match(href):
        return href
    path, _, fragment = href.partition("#")
    other = path.removesuffix(".html") if path else slug
    if other in slugs:
        return f"#{target(other, fragment)}"
    return f"{site}/{href}" if site else ""
