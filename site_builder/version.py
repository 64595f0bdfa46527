"""The version of the builder itself: when it changes, all cached results are invalid."""

from functools import cache
from importlib.metadata import distributions
from pathlib import Path

from site_builder.cache import fingerprint

_BUILDER = Path(__file__).parent


@cache
def builder_version() -> str:
    """A fingerprint of the builder's own code, its libraries, and its npm packages."""
    files = [
        *sorted(_BUILDER.rglob("*.py")),
        *sorted(_BUILDER.rglob("*.mjs")),
        *sorted((_BUILDER.parent / "src" / "eqcheck").rglob("*.py")),
        *sorted((_BUILDER.parent / "src" / "runner").rglob("*.py")),
        _BUILDER.parent / "package-lock.json",
    ]
    libraries = sorted(f"{d.name} {d.version}" for d in distributions())
    return fingerprint(*libraries, *(file.read_bytes() for file in files if file.is_file()))
