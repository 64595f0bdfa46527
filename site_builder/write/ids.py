"""Add to the list of all ids that the site has ever published."""

from collections.abc import Collection
from pathlib import Path

from site_builder.atomic import write_file
from site_builder.read.published import PUBLISHED_PATH


def add_ids(root: Path, ids: Collection[str]) -> int:
    """Add `ids` to the sorted list; nothing is removed. Returns how many were new."""
    file = root / PUBLISHED_PATH
    before = file.read_text("utf-8") if file.exists() else ""
    listed = set(before.splitlines()) - {""}
    text = "".join(f"{entry}\n" for entry in sorted(listed | set(ids)))
    if text != before:
        write_file(file, text.encode())
        file.chmod(0o644)
    return len(set(ids) - listed)
