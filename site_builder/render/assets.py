"""Files that are copied as they are, scripts and pictures, by their path in the site."""

from pathlib import Path

from site_builder.render.bundles import BUNDLES


def assets(root: Path) -> dict[str, Path]:
    """What lies in static/, without styles, bundles and the service worker."""
    static = root / "static"
    bundled = root / BUNDLES
    return {
        f"static/{file.relative_to(static).as_posix()}": file
        for file in sorted(static.rglob("*"))
        if file.suffix in {".js", ".svg"}
        and bundled not in file.parents
        and file.name != "service-worker.js"
    }
