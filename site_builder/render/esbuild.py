"""Minify scripts and styles with esbuild.

All styles become one file. Each module in static/js/bundles re-exports what the site's own scripts
use of some npm packages; they import it when a reader first needs it. So only those parts are
bundled, and each of them once. The other scripts stay separate files. Those in static/js/early run
before a page is drawn, and become part of the page.
"""

from pathlib import Path
from typing import Any

from site_builder.problem import Place, Report
from site_builder.render.tools import PACKAGES, Question, Tool, Tools

SCRIPTS = "static/js"
BUNDLES = f"{SCRIPTS}/bundles"
EARLY = f"{SCRIPTS}/early"
STYLES = "static/styles.css"


def _code(answer: dict[str, str]) -> str:
    return answer["code"]


_ESBUILD = Tool(name="bundles", script=Path(__file__).with_suffix(".mjs"), decode=_code)


def scripts_and_styles(root: Path, tools: Tools, report: Report) -> dict[str, str]:
    """Minified scripts and styles by path in the site; esbuild's errors are reported."""

    def failed(path: str, reply: dict[str, Any]) -> None:
        what = f"esbuild cannot bundle this: {reply['error']}"
        remedy = "correct it, or add the package to package.json"
        report.add(Place(path=path, line=reply.get("line", 0)), what, remedy)

    files = sorted([*(root / SCRIPTS).rglob("*.js"), *(root / STYLES).parent.glob("*.css")])
    texts = {file.relative_to(root).as_posix(): file.read_bytes() for file in files}
    everything = [part for path, text in texts.items() for part in (path, text)]
    questions = {}
    for path, text in texts.items():
        if path == STYLES or path.endswith(".js"):
            bundle = path == STYLES or path.startswith(f"{BUNDLES}/")
            questions[path] = Question(
                value={"path": str(root / path), "bundle": bundle},
                content=(path, *everything) if bundle else (path, text),
            )
    return tools.ask(_ESBUILD, questions, failed, str(PACKAGES))
