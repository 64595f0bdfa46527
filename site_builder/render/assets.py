"""Files that come from elsewhere: styles, scripts and fonts, by their path in the site."""

from pathlib import Path

from site_builder.render.bundles import BUNDLES

_MODULES = Path(__file__).parent.parent.parent / "node_modules"
_FONTS = (
    "@fontsource/source-serif-4/files/source-serif-4-latin-400-normal.woff2",
    "@fontsource/source-serif-4/files/source-serif-4-latin-400-italic.woff2",
    "@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff2",
    "@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2",
)


def assets(root: Path) -> dict[str, Path]:
    """The files to copy as they are: static/ without bundles, the text fonts, KaTeX's styles."""
    static = root / "static"
    bundled = root / BUNDLES
    files = {
        f"static/{file.relative_to(static).as_posix()}": file
        for file in sorted(static.rglob("*"))
        if file.suffix in {".css", ".js", ".svg"}
        and bundled not in file.parents
        and file.name != "service-worker.js"
    }
    for font in _FONTS:
        files[f"static/fonts/{Path(font).name}"] = _MODULES / font
    katex = _MODULES / "katex" / "dist"
    files["static/katex/katex.min.css"] = katex / "katex-swap.min.css"
    for file in sorted((katex / "fonts").glob("*.woff2")):
        files[f"static/katex/fonts/{file.name}"] = file
    return files
