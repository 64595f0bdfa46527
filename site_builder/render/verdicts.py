"""How a page says that an equation was checked."""

from dataclasses import dataclass

from site_builder.observe.verdicts import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """The mark beside an equation, and more on request."""

    mark: str
    details: str


def verdict_view(verdict: Verdict) -> VerdictView:
    """A verdict in words."""
    largest = f"{verdict.largest:.0e}".replace("e-0", "e-").replace("e+0", "e")
    difference = f"largest difference {largest}" if verdict.largest else "no difference"
    derivatives = f" Derivatives were taken by {' and '.join(verdict.methods)}." * bool(
        verdict.methods
    )
    return VerdictView(
        mark=f"runs: {verdict.inputs} inputs, {difference}",
        details=(
            "The build executed this LaTeX and compared it, entry by entry, with what the code"
            f" computed on {verdict.inputs} inputs: every relation in it holds within the rounding"
            f" of 64-bit numbers.{derivatives}"
        ),
    )
