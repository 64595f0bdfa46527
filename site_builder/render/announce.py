"""Files for search engines, language models and feed readers."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from site_builder.read.history import last_change
from site_builder.render.html import Html
from site_builder.resolve.site import Site

_FEED_LENGTH = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapEntry:
    """A page of the sitemap; `changed` is a date, or None if unknown."""

    address: str | None
    changed: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """A commit that changed pages, or code on them; `pages` are addresses and titles."""

    id: str
    title: str
    date: str
    pages: tuple[tuple[str, str], ...]


def announce(site: Site, html: Html) -> dict[str, str]:
    """The files by path."""
    sources = {
        f"{page.slug}.html": page.files | {span.path for span in page.linked} for page in site.pages
    }
    files = {
        "llms.txt": html.render("llms.txt", site=site, at=_at(site)),
        "robots.txt": html.render("robots.txt", sitemap=site.settings.address("sitemap.xml")),
    }
    if site.settings.url:
        entries = _sitemap(site, sources)
        files["sitemap.xml"] = html.render("sitemap.xml", entries=entries)
    if site.history:
        files["feed.xml"] = html.render(
            "feed.xml",
            site=site,
            id=_iri(f"feed from {site.history[-1].id}"),
            at=_at(site),
            entries=_feed(site, sources),
        )
    return files


def _at(site: Site) -> str:
    """The prefix of a path: the site's address, or empty if unknown."""
    return f"{site.settings.url}/" if site.settings.url else ""


def _sitemap(site: Site, sources: Mapping[str, frozenset[str]]) -> list[SitemapEntry]:
    made_from = {
        **sources,
        **{site.links.source_page(module.path): {module.path} for module in site.sources},
    }
    entries = []
    for path in ("index.html", *made_from, "freshness.html"):
        changed = last_change(site.history, made_from.get(path, ()))
        entries.append(
            SitemapEntry(
                address=site.settings.address(path),
                changed=changed.isoformat() if changed else None,
            )
        )
    return entries


def _feed(site: Site, sources: Mapping[str, frozenset[str]]) -> list[FeedEntry]:
    entries = []
    for commit in site.history:
        pages = tuple(
            (f"{_at(site)}{page.slug}.html", page.title)
            for page in site.pages
            if commit.paths & sources[f"{page.slug}.html"]
        )
        if pages:
            date = commit.date.isoformat()
            entries.append(
                FeedEntry(id=_iri(commit.id), title=commit.subject, date=date, pages=pages)
            )
    return entries[:_FEED_LENGTH]


def _iri(name: str) -> str:
    """An absolute IRI that does not depend on where the site is served."""
    return uuid.uuid5(uuid.NAMESPACE_OID, name).urn
