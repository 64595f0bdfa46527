"""Pack the Python files that the browser runs into one zip, the same bytes every time."""

import io
import zipfile
from pathlib import Path

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip can hold: no build's own clock in it
_BUILDER = Path(__file__).parent.parent.parent
_RUNNER = ("site_builder/__init__.py", "site_builder/observe/__init__.py",
           "site_builder/observe/example.py", "site_builder/observe/reader_code.py")  # fmt: skip


def bundle(root: Path, folders: list[tuple[str, str]]) -> bytes:
    """A zip of the packages in `folders` (folder, name), of eqcheck, and of what runs them."""
    files = {name: _BUILDER / name for name in _RUNNER}
    packages = [(root / folder, package) for folder, package in folders]
    for folder, package in [*packages, (_BUILDER / "src" / "eqcheck", "eqcheck")]:
        for file in folder.rglob("*.py"):
            inside = file.relative_to(folder).as_posix()
            files[f"{package.replace('.', '/')}/{inside}"] = file
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _EPOCH)
            archive.writestr(entry, files[name].read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
