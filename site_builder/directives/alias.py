"""`{alias}`: an id that a page had once, and what stands there now."""

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
    """An old id, and the id, or page and id, that replaces it."""

    accepts: ClassVar[Accepts] = Accepts(argument="an old id", options={"for": True})

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Take both as they are."""
        del reader
        return cls(fence=fence)

    def view(self, context: Context) -> "AliasView":
        """The old id; the page says where links to it lead now."""
        now = self.fence.option("for").removeprefix("#")
        address = urlsplit(now if "#" in now or now.endswith(".md") else f"#{now}")
        slug = address.path.removesuffix(".md") or context.slug
        if address.path and slug not in context.facts.slugs:
            what = f"the alias for '{now}' leads nowhere"
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
    """An id that the page had once, and where links to it lead now."""

    template: ClassVar[str] = "alias.html"
    id: str
    href: str

    def markdown(self, notebook: Notebook) -> str:
        """Nothing: links lead to the page."""
        del notebook
        return ""
