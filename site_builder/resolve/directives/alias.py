"""`{alias}`: an id that a page had once, and what stands there now."""

from urllib.parse import urlsplit

from site_builder.read.page import Directive
from site_builder.resolve.context import Context
from site_builder.resolve.options import option
from site_builder.resolve.views import AliasView


def alias(directive: Directive, context: Context) -> AliasView:
    """The old id; the page says where links to it lead now."""
    at = directive.place
    now = option(directive, "for").removeprefix("#")
    address = urlsplit(now if "#" in now or now.endswith(".md") else f"#{now}")
    slug = address.path.removesuffix(".md") or context.slug
    if address.path and slug not in context.facts.slugs:
        context.add(at, f"the alias for '{now}' leads nowhere", "name an id, or page.md#id")
    else:
        context.page_links.append((slug, address.fragment, at))
    fragment = f"#{address.fragment}" if address.fragment else ""
    return AliasView(
        id=context.claim_id(directive.argument.removeprefix("#"), at),
        href=(f"{slug}.html" if address.path else "") + fragment,
    )
