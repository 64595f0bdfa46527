"""Typeset the formulas of the whole site with KaTeX."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from site_builder.problem import Report
from site_builder.read.page import Place
from site_builder.render.tools import Question, Tool, Tools
from site_builder.resolve.text_views import Maths


def _html(answer: dict[str, str]) -> str:
    return answer["html"]


KATEX = Tool(name="formulas", script=Path(__file__).with_name("katex.mjs"), decode=_html)


def typeset(formulas: dict[Maths, Place], tools: Tools, report: Report) -> dict[Maths, str]:
    """The HTML of each formula; LaTeX errors are reported at their place."""

    def failed(maths: Maths, reply: dict[str, Any]) -> None:
        error = reply["error"].removeprefix("KaTeX parse error: ").replace("\n", " ")
        at = formulas[maths]
        report.add(at.path, at.line, f"this LaTeX cannot be typeset: {error}", "correct it")

    return tools.ask(KATEX, {maths: Question(value=asdict(maths)) for maths in formulas}, failed)
