"""Typeset the formulas of the whole site with KaTeX."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from site_builder.problem import Place, Report
from site_builder.render.tools import Question, Tool, Tools
from site_builder.resolve.text_views import Maths, TypesetMaths


def _typeset(answer: dict[str, str]) -> TypesetMaths:
    return TypesetMaths(html=answer["html"], mathml=answer["mathml"], text=answer["text"])


KATEX = Tool(name="formulas", script=Path(__file__).with_name("katex.mjs"), decode=_typeset)


def typeset(
    formulas: dict[Maths, Place], tools: Tools, report: Report
) -> dict[Maths, TypesetMaths]:
    """Each formula as KaTeX typesets it; LaTeX errors are reported at their place."""

    def failed(maths: Maths, reply: dict[str, Any]) -> None:
        error = reply["error"].removeprefix("KaTeX parse error: ").replace("\n", " ")
        at = formulas[maths]
        report.add(at, f"this LaTeX cannot be typeset: {error}", "correct it")

    return tools.ask(KATEX, {maths: Question(value=asdict(maths)) for maths in formulas}, failed)
