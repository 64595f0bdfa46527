"""Bundle npm parts for the browser, and all styles into one, with esbuild in one Node process.

Each module in static/js/bundles re-exports what the site's own scripts use of some packages; they
import it when a reader first needs it. So only these parts are bundled, and each of them once.
"""

from pathlib import Path

from site_builder.cache import Cache, fingerprint
from site_builder.problem import Report
from site_builder.render.node import ask_node

BUNDLES = "static/js/bundles"
STYLES = "static/styles.css"
_SCRIPT = Path(__file__).with_name("esbuild.mjs")
_TOOLS = _SCRIPT.parent.parent.parent


def bundles(root: Path, cache: Cache, report: Report) -> dict[str, str]:
    """The code of each bundle by its path in the site; what cannot be bundled is reported.

    Node is asked only where an entry, a style, the script or a package's version has changed.
    """
    entries = [root / STYLES, *sorted((root / BUNDLES).glob("*.js"))]
    files = [*entries, *sorted((root / STYLES).parent.glob("*.css"))]
    inputs = [part for file in files for part in (file.name, file.read_bytes())]
    key = fingerprint(_SCRIPT.read_bytes(), (_TOOLS / "package-lock.json").read_bytes(), *inputs)
    kept = cache.get("bundles") or {}
    if kept.get("key") != key:
        kept = {"key": key, "code": _bundle(root, entries, report)}
        if len(kept["code"]) == len(entries):
            cache.put("bundles", kept)
    code: dict[str, str] = kept["code"]
    return code


def _bundle(root: Path, entries: list[Path], report: Report) -> dict[str, str]:
    code: dict[str, str] = {}
    paths = [entry.relative_to(root).as_posix() for entry in entries]
    answers = ask_node(_SCRIPT, [str(entry) for entry in entries], str(_TOOLS / "node_modules"))
    for path, answer in zip(paths, answers, strict=True):
        if "code" in answer:
            code[path] = answer["code"]
        else:
            what = f"esbuild cannot bundle this: {answer['error']}"
            report.add(
                path, answer.get("line", 0), what, "correct it, or add the package to package.json"
            )
    return code
