"""`{alias}`: a former id of a page, and its replacement."""

from dataclasses import dataclass
from typing import ClassVar, Self
from urllib.parse import urlsplit

from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.notebook import Notebook
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias(Directive):
    """A former id, and the id, or page and id, that replaces it."""

    accepts: ClassVar[Accepts] = Accepts(argument="an old id", options={"for": True})

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Keep both as written."""
        del reader
        return cls(fence=fence)

    def view(self, context: Context) -> "AliasView":
        """The former id with a link to its replacement."""
        now = self.fence.option("for").removeprefix("#")
        address = urlsplit(now if "#" in now or now.endswith(".md") else f"#{now}")
        slug = address.path.removesuffix(".md") or context.slug
        if address.path and slug not in context.facts.slugs:
            what = f"the alias for '{now}' has no target"
            context.add(self.place, what, "name an id, or page.md#id")
        else:
            context.page_links.append((slug, address.fragment, self.place))
        fragment = f"#{address.fragment}" if address.fragment else ""
        return AliasView(
            id=context.claim_id(self.fence.argument.removeprefix("#"), self.place),
            href=(f"{slug}.html" if address.path else "") + fragment,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasView(View):
    """A former id of the page, and where links to it now lead."""

    template: ClassVar[str] = "alias.html"
    id: str
    href: str

    def markdown(self, notebook: Notebook) -> str:
        """Nothing: links from elsewhere lead to the page, not to the notebook."""
        del notebook
        return ""
