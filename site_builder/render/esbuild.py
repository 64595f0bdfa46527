"""Make scripts and styles small, with esbuild in one Node process.

All styles become one file. Each module in static/js/bundles re-exports what the site's own scripts
use of some npm packages; they import it when a reader first needs it. So only these parts are
bundled, and each of them once. The other scripts stay the files that they are. Those in
static/js/early run before a page is drawn, and become part of the page.
"""

from pathlib import Path

from site_builder.cache import Cache, fingerprint
from site_builder.problem import Report
from site_builder.render.node import ask_node

SCRIPTS = "static/js"
BUNDLES = f"{SCRIPTS}/bundles"
EARLY = f"{SCRIPTS}/early"
STYLES = "static/styles.css"
_SCRIPT = Path(__file__).with_name("esbuild.mjs")
_TOOLS = _SCRIPT.parent.parent.parent


def scripts_and_styles(root: Path, cache: Cache, report: Report) -> dict[str, str]:
    """The text of each by its path in the site; what esbuild cannot read is reported.

    Node is asked only where a script, a style, esbuild's script or a package's version has changed.
    """
    paths = [STYLES, *(_path(root, file) for file in sorted((root / SCRIPTS).rglob("*.js")))]
    styles = [_path(root, file) for file in sorted((root / STYLES).parent.glob("*.css"))]
    inputs = [part for path in (*paths, *styles) for part in (path, (root / path).read_bytes())]
    key = fingerprint(_SCRIPT.read_bytes(), (_TOOLS / "package-lock.json").read_bytes(), *inputs)
    kept = cache.get("bundles") or {}
    if kept.get("key") != key:
        kept = {"key": key, "code": _made_small(root, paths, report)}
        if len(kept["code"]) == len(paths):
            cache.put("bundles", kept)
    code: dict[str, str] = kept["code"]
    return code


def _path(root: Path, file: Path) -> str:
    return file.relative_to(root).as_posix()


def _made_small(root: Path, paths: list[str], report: Report) -> dict[str, str]:
    code: dict[str, str] = {}
    questions = [
        {"path": str(root / path), "bundle": path == STYLES or path.startswith(f"{BUNDLES}/")}
        for path in paths
    ]
    answers = ask_node(_SCRIPT, questions, str(_TOOLS / "node_modules"))
    for path, answer in zip(paths, answers, strict=True):
        if "code" in answer:
            code[path] = answer["code"]
        else:
            what = f"esbuild cannot bundle this: {answer['error']}"
            report.add(
                path, answer.get("line", 0), what, "correct it, or add the package to package.json"
            )
    return code
