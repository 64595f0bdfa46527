"""Search records: one for each thing on the site that has an address of its own."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from markdown_it.token import Token

from site_builder.resolve.text_views import ClaimView, Maths, Reference, Text, TypesetMaths


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRecord:
    """Something that can be found.

    Attributes:
        kind: what it is, such as `Equation`; static/js/search/results.js has them all.
        is_code: whether the title is a name in the code.
        href: its address, from the top of the site.
        where: the page and part, or the file, that it stands in.
        text: what an excerpt is made from.
        words: what else it is found by.
        first: where the text is lines of a file, the number of the first: the address is the page
            of that file, and a result leads to one of the lines.
        maths: MathML of its formula; empty where it has none.
    """

    kind: str
    title: str
    href: str
    where: str
    is_code: bool = False
    text: str = ""
    words: str = ""
    first: int | None = None
    maths: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSearch:
    """Makes the records of one part of a page.

    Attributes:
        formulas: each formula as KaTeX typeset it.
        where: the titles of the page and the part.
    """

    slug: str
    where: str
    formulas: Mapping[Maths, TypesetMaths]

    def record(  # noqa: PLR0913 - what a record consists of
        self, kind: str, id_: str, title: str, *, text: str = "", words: str = "", maths: str = ""
    ) -> SearchRecord:
        """A record of something with an id on the page."""
        return SearchRecord(
            kind=kind,
            title=title,
            href=f"{self.slug}.html#{id_}",
            where=self.where,
            text=text,
            words=words,
            maths=maths,
        )

    def plain(self, text: Text) -> str:
        """Markdown as plain text on one line."""
        return " ".join("".join(self._pieces(text.tokens)).split())

    def mathml(self, maths: Maths) -> str:
        """The MathML of a formula; empty where it could not be typeset."""
        typeset = self.formulas.get(maths)
        return typeset.mathml if typeset else ""

    def characters(self, maths: Maths) -> str:
        """The letters and signs of a formula, in their order."""
        typeset = self.formulas.get(maths)
        return typeset.text if typeset else ""

    def _pieces(self, tokens: Iterable[Token]) -> Iterator[str]:
        for token in tokens:
            if token.children is not None:
                yield from self._pieces(token.children)
            elif token.type == "maths":
                yield self.characters(token.meta["view"])
            elif token.type == "role":
                view: Reference | ClaimView = token.meta["view"]
                yield view.text if isinstance(view, Reference) else self.plain(view.sentence)
            else:
                yield token.content
                if token.block or token.type in ("softbreak", "hardbreak"):
                    yield " "
