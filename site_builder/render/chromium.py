"""Make PDFs and pictures of documents with Chromium, in one process of it."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_builder.cache import Cache, fingerprint
from site_builder.chromium import VARIABLE, arguments, find_chromium, identity
from site_builder.problem import Report
from site_builder.render.node import ask_node

_SCRIPT = Path(__file__).with_suffix(".mjs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Browser:
    """The Chromium to use; where there is none, `missing` says why."""

    executable: Path | None
    missing: str = ""


LEFT_OUT = Browser(executable=None, missing="it was left out")


def find_browser(environment: Mapping[str, str]) -> Browser:
    """The one at hand."""
    found = find_chromium(environment)
    return Browser(executable=found, missing="" if found else "no browser was found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """HTML to be made a PDF of, or, where it has a width and a height, a PNG of that size.

    Attributes:
        widths: those of the screens, in pixels, for which the heights of its passages are wanted.
    """

    path: str
    html: str
    width: int = 0
    height: int = 0
    widths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What became of a document: a file, and for each width how tall its passages are, in rem."""

    data: bytes
    heights: tuple[tuple[float, ...], ...]


def make(
    documents: Sequence[Document],
    files: Mapping[str, bytes],
    browser: Browser,
    cache: Cache,
    report: Report,
) -> dict[str, Made]:
    """What Chromium makes of each document, by the document's path.

    Only documents that are not kept from before are made. A browser that fails is reported.

    Args:
        documents: what to make; their links to styles and fonts are paths of `files`.
        files: all that the documents may load.
        browser: must have an executable.
        cache: keeps what was made.
        report: where a failure goes.
    """
    kept = cache.get("chromium") or {}
    loaded = [part for path in sorted(files) for part in (path, files[path])]
    shared = fingerprint(_SCRIPT.read_bytes(), identity(browser.executable), *loaded)
    keys = {
        d.path: fingerprint(shared, d.html, f"{d.width} {d.height} {d.widths}") for d in documents
    }
    missing = [document for document in documents if keys[document.path] not in kept]
    if missing:
        made = _ask(missing, files, browser, report)
        kept |= {keys[path]: answer for path, answer in made.items()}
        cache.put("chromium", {key: kept[key] for key in keys.values() if key in kept})
    return {path: _made(kept[key]) for path, key in keys.items() if key in kept}


def _made(answer: dict[str, Any]) -> Made:
    return Made(data=base64.b64decode(answer["data"]), heights=tuple(map(tuple, answer["heights"])))


def _ask(
    documents: Sequence[Document], files: Mapping[str, bytes], browser: Browser, report: Report
) -> dict[str, dict[str, Any]]:
    """What the script answers for each."""
    given = {**files, **{d.path: d.html.encode() for d in documents}}
    question = {
        "files": {path: base64.b64encode(data).decode() for path, data in given.items()},
        "documents": [
            {"path": d.path, "width": d.width, "height": d.height, "widths": d.widths}
            for d in documents
        ],
    }
    (answer,) = ask_node(_SCRIPT, [question], str(browser.executable), *arguments())
    if "error" in answer:
        what = f"this browser cannot print the site: {' '.join(answer['error'].split())}"
        remedy = f"set {VARIABLE} to another one, or go on with --without-pdf"
        report.add(str(browser.executable), 0, what, remedy)
        return {}
    return dict(zip((d.path for d in documents), answer["made"], strict=True))
