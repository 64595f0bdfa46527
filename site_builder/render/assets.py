"""Files that are copied unchanged, by their path in the site."""

from pathlib import Path


def assets(root: Path) -> dict[str, Path]:
    """The pictures in static/."""
    static = root / "static"
    files = sorted(static.rglob("*.svg"))
    return {f"static/{file.relative_to(static).as_posix()}": file for file in files}
