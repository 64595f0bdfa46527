"""Pack the Python files that the browser runs into one zip, the same bytes every time."""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip can hold: no build's own clock in it
_BUILDER = Path(__file__).parent.parent.parent
_RUNNER = ("__init__", "check", "example", "mentions", "reader_code", "reader_verdicts")


def bundle(
    root: Path, folders: list[tuple[str, str]], checks: Mapping[str, Mapping[str, Any]]
) -> bytes:
    """A zip of the packages in `folders` (folder, name), of eqcheck, and of what runs them.

    Args:
        root: the project's folder.
        folders: its packages.
        checks: by page, what is checked on code that a reader edits: `checks/<page>.json`.
    """
    runner = ["site_builder/__init__.py", *(f"site_builder/observe/{n}.py" for n in _RUNNER)]
    contents = {name: (_BUILDER / name).read_bytes() for name in runner}
    for page, check in checks.items():
        contents[f"checks/{page}.json"] = json.dumps(check, sort_keys=True).encode()
    packages = [(root / folder, package) for folder, package in folders]
    for folder, package in [*packages, (_BUILDER / "src" / "eqcheck", "eqcheck")]:
        for file in folder.rglob("*.py"):
            inside = file.relative_to(folder).as_posix()
            contents[f"{package.replace('.', '/')}/{inside}"] = file.read_bytes()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name, _EPOCH)
            archive.writestr(entry, contents[name], zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
