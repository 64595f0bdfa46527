"""Read a text file, or report why it cannot be read."""

from pathlib import Path

from site_builder.problem import Place, Report


def read_text(root: Path, path: str, report: Report) -> str | None:
    """The text of `root / path` with LF line endings, or None after a report."""
    try:
        data = (root / path).read_bytes()
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        report.add(Place(path=path), what, "add the file or correct its name")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        report.add(Place(path=path, line=line), "is not UTF-8 text", "save the file as UTF-8")
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")
