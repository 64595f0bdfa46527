"""Pack the Python files that the browser runs into one reproducible zip."""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

from runner.protocol import PageCheck

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can hold, instead of the build's
_SOURCES = Path(__file__).parent.parent.parent / "src"
_MACHINERY = ("eqcheck", "runner")


def bundle(root: Path, folders: list[tuple[str, str]], checks: Mapping[str, PageCheck]) -> bytes:
    """A zip of the packages in `folders` (folder, name), of eqcheck, and of the runner.

    Args:
        root: the project's folder.
        folders: the folders of its packages, with their names.
        checks: by page, what to check on edited code; stored as `checks/<page>.json`.
    """
    contents = {
        f"checks/{page}.json": json.dumps(check, sort_keys=True).encode()
        for page, check in checks.items()
    }
    packages = [(root / folder, package) for folder, package in folders]
    for folder, package in [*packages, *((_SOURCES / name, name) for name in _MACHINERY)]:
        for file in folder.rglob("*.py"):
            inside = file.relative_to(folder).as_posix()
            contents[f"{package.replace('.', '/')}/{inside}"] = file.read_bytes()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, _EPOCH)
            archive.writestr(entry, contents[name], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
