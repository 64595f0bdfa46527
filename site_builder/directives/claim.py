"""`{claim}`: a sentence that the build checks."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.notebook import Notebook
from site_builder.resolve.search import PageSearch
from site_builder.resolve.text_views import ClaimView, Text
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Directive):
    """A sentence, and a condition on facts about the code."""

    accepts: ClassVar[Accepts] = Accepts(argument="a condition", body="a sentence")

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self:
        """Keep both as written."""
        del reader
        return cls(fence=fence)

    def view(self, context: Context) -> "ClaimBlockView | None":
        """The sentence, if its condition holds."""
        sentence = " ".join(line.text.strip() for line in self.fence.body)
        place = self.fence.body[0].place
        claim = context.claim(sentence, self.fence.argument, place)
        if claim is None:
            return None
        return ClaimBlockView(sentence=claim.sentence, condition=claim.condition)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimBlockView(View):
    """A sentence set apart, and its condition, which the build verified."""

    template: ClassVar[str] = "claim.html"
    sentence: Text
    condition: str

    def markdown(self, notebook: Notebook) -> str:
        """The sentence with a tick."""
        return notebook.role(ClaimView(sentence=self.sentence, condition=self.condition))

    def prose(self, search: PageSearch) -> Iterable[str]:
        """The sentence."""
        yield search.plain(self.sentence)
