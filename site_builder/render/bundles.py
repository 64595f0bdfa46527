"""Bundle npm parts for the browser with esbuild, in one Node process.

Each module in static/js/bundles re-exports what the site's own scripts use of some packages; they
import it when a reader first needs it. So only these parts are bundled, and each of them once.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

from site_builder.cache import Cache, fingerprint
from site_builder.problem import Report

BUNDLES = "static/js/bundles"
_SCRIPT = Path(__file__).with_name("esbuild.mjs")
_TOOLS = _SCRIPT.parent.parent.parent


def bundles(root: Path, cache: Cache, report: Report) -> dict[str, str]:
    """The code of each bundle by its path in the site; what cannot be bundled is reported.

    Node is asked only where an entry, the script or a package's version has changed.
    """
    entries = sorted((root / BUNDLES).glob("*.js"))
    inputs = [part for entry in entries for part in (entry.name, entry.read_bytes())]
    key = fingerprint(_SCRIPT.read_bytes(), (_TOOLS / "package-lock.json").read_bytes(), *inputs)
    kept = cache.get("bundles") or {}
    if kept.get("key") != key:
        kept = {"key": key, "code": _bundle(root, entries, report)}
        if len(kept["code"]) == len(entries):
            cache.put("bundles", kept)
    code: dict[str, str] = kept["code"]
    return code


def _bundle(root: Path, entries: list[Path], report: Report) -> dict[str, str]:
    code = {}
    paths = [entry.relative_to(root).as_posix() for entry in entries]
    for path, answer in zip(paths, _ask_esbuild(entries), strict=True):
        if "code" in answer:
            code[path] = answer["code"]
        else:
            what = f"esbuild cannot bundle this: {answer['error']}"
            report.add(path, answer["line"], what, "correct it, or add the package to package.json")
    return code


def _ask_esbuild(entries: list[Path]) -> list[dict[str, Any]]:
    if not entries:
        return []
    request = {
        "entries": [str(entry) for entry in entries],
        "modules": str(_TOOLS / "node_modules"),
    }
    run = subprocess.run(
        ["node", str(_SCRIPT)],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if run.returncode:
        last = (run.stderr.strip().splitlines() or ["no output"])[-1]
        error = f"Node ended with code {run.returncode} ({last})"
        return [{"error": error, "line": 0}] * len(entries)
    answers: list[dict[str, Any]] = json.loads(run.stdout)
    return answers
