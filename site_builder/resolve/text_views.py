"""Running text: Markdown, formulas, roles."""

from dataclasses import dataclass
from typing import ClassVar

from markdown_it.token import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Maths:
    """LaTeX to typeset; `linked` is the same with symbols marked, for the visual form only."""

    latex: str
    display: bool
    linked: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TypesetMaths:
    """A formula as HTML, as MathML without LaTeX, and as its letters and signs in order."""

    html: str
    mathml: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A role in running text: a link to code, an equation or a symbol, or a value from the code."""

    template: ClassVar[str] = "reference.html"
    text: str
    href: str | None
    code: bool
    permalink: str | None = None
    maths: Maths | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Markdown whose roles and links are resolved; `inline` has no paragraphs."""

    tokens: tuple[Token, ...]
    inline: bool

    @property
    def plain(self) -> str:
        """The words alone."""
        return "".join(child.content for token in self.tokens for child in token.children or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimView:
    """A sentence, and its condition, which the build verified."""

    template: ClassVar[str] = "claim.html"
    sentence: Text
    condition: str


RoleView = Reference | ClaimView
