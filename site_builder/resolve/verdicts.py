"""How a page states that an equation was checked."""

from dataclasses import dataclass

from site_builder.observe.verdicts import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """The mark beside an equation, and its explanation."""

    mark: str
    details: str


def verdict_view(verdict: Verdict) -> VerdictView:
    """Describe a verdict."""
    relative = f"largest difference {_short(verdict.relative)}"
    difference = relative if verdict.relative else "no difference"
    derivatives = f" Derivatives were taken by {' and '.join(verdict.methods)}."
    return VerdictView(
        mark=f"runs: {verdict.inputs} inputs, {difference}",
        details=(
            "The build executed this LaTeX and compared it, entry by entry, with what the code"
            f" computed on {verdict.inputs} inputs: every relation in it holds within the rounding"
            " of 64-bit numbers. The difference is given in relation to the numbers that went in;"
            f" the largest in itself is {_short(verdict.absolute)}."
            + (derivatives if verdict.methods else "")
        ),
    )


def _short(number: float) -> str:
    """One significant digit: `4e-16`."""
    return f"{number:.0e}".replace("e-0", "e-").replace("e+0", "e") if number else "0"
