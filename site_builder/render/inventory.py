"""`objects.inv`: a Sphinx inventory, for links from other projects' documentation.

Version 2 is four lines of text, then one zlib-compressed line for each target: name, domain:role,
priority, address, and the text of a link (`-` if it is the name).
"""

import zlib
from collections.abc import Iterator

from site_builder.render.source import named_lines
from site_builder.resolve.site import Site
from site_builder.resolve.view import HeadingView

_FOUND, _HIDDEN = 1, -1  # priorities; hidden targets can be linked, but not searched for


def inventory(site: Site) -> bytes:
    """The file. Functions listed on a page link to that page, others to their source."""
    version = (site.revision.commit or "")[:12]
    head = (
        "# Sphinx inventory version 2\n"
        f"# Project: {site.settings.title}\n"
        f"# Version: {version}\n"
        "# The remainder of this file is compressed using zlib.\n"
    )
    entries = [*_code(site), *_pages(site)]
    lines = "".join(f"{entry}\n" for entry in entries)
    return head.encode() + zlib.compress(lines.encode(), 9)


def _code(site: Site) -> Iterator[str]:
    listed = _listed(site)
    for module in site.sources:
        if module.name.partition(".")[0] == "tests":
            continue
        page = site.links.source_page(module.path)
        yield f"{module.name} py:module {_FOUND} {page} -"
        for named in named_lines(module):
            address = listed.get((page, named.line), f"{page}#{named.id}")
            yield f"{module.name}.{named.name} py:{named.kind} {_FOUND} {address} -"


def _listed(site: Site) -> dict[tuple[str, int], str]:
    """Where pages first list whole functions, by source page and first line."""
    places: dict[tuple[str, int], str] = {}
    for page in site.pages:
        for view in page.blocks:
            for id_, link in view.listed:
                key = (link.href.partition("#")[0], int(link.lines.partition("-")[0]))
                places.setdefault(key, f"{page.slug}.html#{id_}")
    return places


def _pages(site: Site) -> Iterator[str]:
    """Pages, their headings, and equations, whose ids are unique across the site."""
    for page in site.pages:
        address = f"{page.slug}.html"
        yield f"{page.slug} std:doc {_HIDDEN} {address} {page.title}"
        for view in page.blocks:
            if isinstance(view, HeadingView):
                yield f"{page.slug}:{view.id} std:label {_HIDDEN} {address}#{view.id} {view.plain}"
        for equation in site.equations:
            if equation.slug == page.slug:
                place = f"{address}#{equation.id}"
                yield f"{equation.id} std:label {_HIDDEN} {place} {equation.caption}"
