"""The service worker of a release: a list of all files with hashes, then the script."""

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from site_builder.write.folder import Content

_SCRIPT = "static/service-worker.js"
_INSTALLED = {".html", ".css", ".js", ".svg"}
_SOURCES = "runtime/sources.zip"  # small, and must match the pages
_LATER = ("runtime/", "static/js/bundles/", "search/")  # large: cached when first used


def service_worker(root: Path, files: Mapping[str, Content]) -> str:
    """The text of service-worker.js.

    Args:
        root: the project's folder.
        files: all other files of the site by path.
    """
    hashes = {path: _sha256(files[path]) for path in sorted(files)}
    install = {path: hashes[path] for path in hashes if _is_installed(path)}
    release = {
        "name": hashlib.sha256(json.dumps(hashes).encode()).hexdigest()[:16],
        "install": install,
        "later": {p: hashes[p] for p in hashes if p not in install and p.startswith(_LATER)},
    }
    script = (root / _SCRIPT).read_text("utf-8")
    return f"self.RELEASE = {json.dumps(release, indent=1)};\n{script}"


def _is_installed(path: str) -> bool:
    """Whether the first visit fetches it, since every visit needs it."""
    large = path.startswith(_LATER) and path != _SOURCES
    return not large and (path == _SOURCES or PurePosixPath(path).suffix in _INSTALLED)


def _sha256(content: Content) -> str:
    """The hash of a file, in the form of `integrity`."""
    if isinstance(content, Path):
        content = content.read_bytes()
    data = content.encode() if isinstance(content, str) else content
    return base64.b64encode(hashlib.sha256(data).digest()).decode()
