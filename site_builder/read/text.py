"""Read a text file, or say what is wrong with it."""

from pathlib import Path

from site_builder.problem import Place, Report


def read_text(root: Path, path: str, report: Report) -> str | None:
    """The text of `root / path` with line feeds as line ends, or None after a report."""
    try:
        data = (root / path).read_bytes()
    except OSError as error:
        report.add(
            Place(path=path), f"cannot be read ({error.strerror})", "put it there or fix its name"
        )
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        report.add(Place(path=path, line=line), "is not UTF-8 text", "save the file as UTF-8")
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")
