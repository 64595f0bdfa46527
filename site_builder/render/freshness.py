"""The freshness page: what the build checked."""

from dataclasses import dataclass

from site_builder.observe.verdicts import Verdict
from site_builder.read.test_report import TestReport
from site_builder.resolve.site import Site
from site_builder.resolve.text_views import Text
from site_builder.resolve.view import SymbolView


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRow:
    """A claim, and where it is made."""

    sentence: Text
    condition: str
    page: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EquationRow:
    """An equation, and its verdict or why it was not executed."""

    caption: str
    href: str
    verdict: Verdict | None
    unchecked: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshnessView:
    """Everything that was checked."""

    counts: tuple[tuple[str, str], ...]
    equations: tuple[EquationRow, ...]
    claims: tuple[ClaimRow, ...]
    symbols: tuple[SymbolView, ...]
    tests: TestReport | None


def freshness(site: Site, verdicts: dict[str, Verdict], tests: TestReport | None) -> FreshnessView:
    """Collect everything that was checked."""
    symbols = {
        row.link.href + row.latex: row
        for page in site.pages
        for view in page.blocks
        for row in view.symbols
        if row.link
    }
    return FreshnessView(
        counts=(
            ("equations executed", str(len(verdicts))),
            ("not executed", str(len(site.equations) - len(verdicts))),
            ("claims held", str(len(site.claims))),
            ("symbols observed", str(len(symbols))),
            ("tests passed", str(len(tests.passed)) if tests else "not run"),
        ),
        equations=tuple(
            EquationRow(
                caption=equation.caption,
                href=f"{equation.slug}.html#{equation.id}",
                verdict=verdicts.get(equation.id),
                unchecked=equation.unchecked,
            )
            for equation in site.equations
        ),
        claims=tuple(
            ClaimRow(
                sentence=claim.sentence,
                condition=claim.condition,
                page=f"{claim.slug}.html",
                place=f"{claim.place.path}:{claim.place.line}",
            )
            for claim in site.claims
        ),
        symbols=tuple(symbols.values()),
        tests=tests,
    )
