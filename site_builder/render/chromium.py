"""Make PDFs and PNGs of HTML documents with one process of Chromium."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_builder.chromium import VARIABLE, arguments, find_chromium, identity
from site_builder.problem import Place, Report
from site_builder.render.tools import Question, Tool, Tools


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """The Chromium to use; if there is none, `missing` says why."""

    executable: Path | None
    missing: str = ""


LEFT_OUT = Browser(executable=None, missing="it was left out")


def find_browser(environment: Mapping[str, str]) -> Browser:
    """The installed Chromium, if any."""
    found = find_chromium(environment)
    return Browser(executable=found, missing="" if found else "no browser was found")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintJob:
    """HTML to print as a PDF or, if it has a width and a height, to render as a PNG of that size.

    Attributes:
        widths: screen widths, in pixels, at which to measure the heights of its passages.
    """

    path: str
    html: str
    width: int = 0
    height: int = 0
    widths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintOutput:
    """The file made of a document, and the heights of its passages at each width, in rem."""

    data: bytes
    heights: tuple[tuple[float, ...], ...]


def _made(answer: dict[str, Any]) -> PrintOutput:
    return PrintOutput(
        data=base64.b64decode(answer["data"]), heights=tuple(map(tuple, answer["heights"]))
    )


_CHROMIUM = Tool(name="chromium", script=Path(__file__).with_suffix(".mjs"), decode=_made)


def make(
    documents: Sequence[PrintJob],
    files: Mapping[str, bytes],
    browser: Browser,
    tools: Tools,
    report: Report,
) -> dict[str, PrintOutput]:
    """Chromium's output for each document, by the document's path; a failure is reported.

    Args:
        documents: what to print; their links to styles and fonts are paths in `files`.
        files: everything that the documents may load.
        browser: must have an executable.
        tools: run it, and cache its output.
        report: receives a failure.
    """

    def failed(_: str, reply: dict[str, Any]) -> None:
        what = f"this browser cannot print the site: {' '.join(reply['error'].split())}"
        remedy = f"set {VARIABLE} to another one, or go on with --without-pdf"
        report.add(Place(path=str(browser.executable)), what, remedy)

    loaded = [part for path in sorted(files) for part in (path, files[path])]
    questions = {
        d.path: Question(
            value={"path": d.path, "width": d.width, "height": d.height, "widths": d.widths},
            content=(
                identity(browser.executable),
                d.html,
                f"{d.width} {d.height} {d.widths}",
                *loaded,
            ),
        )
        for d in documents
    }
    given = {**files, **{d.path: d.html.encode() for d in documents}}
    encoded = {path: base64.b64encode(data).decode() for path, data in given.items()}
    return tools.ask(_CHROMIUM, questions, failed, str(browser.executable), arguments(), encoded)
