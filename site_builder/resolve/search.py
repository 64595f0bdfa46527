"""Search records: one for each target on the site with its own address."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from markdown_it.token import Token

from site_builder.resolve.text_views import ClaimView, Maths, Reference, Text, TypesetMaths


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRecord:
    """Something that can be found.

    Attributes:
        kind: what it is, such as `Equation`; static/js/search/results.js lists them all.
        is_code: whether the title is a name in the code.
        href: its address, from the top of the site.
        where: the page and part, or the file, that contains it.
        text: the source of excerpts.
        words: further words by which it is found.
        first: if the text is lines of a file, the number of the first one; the address is then the
            file's page, and a result leads to the matching line.
        maths: MathML of its formula; empty if it has none.
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
        formulas: the typeset formulas.
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
        """Plain text on one line."""
        return " ".join("".join(self._pieces(text.tokens)).split())

    def mathml(self, maths: Maths) -> str:
        """The MathML of a formula; empty if it could not be typeset."""
        typeset = self.formulas.get(maths)
        return typeset.mathml if typeset else ""

    def characters(self, maths: Maths) -> str:
        """The letters and signs of a formula, in order."""
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
