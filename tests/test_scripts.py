"""The scripts import one another one way, as the Python packages do."""

import graphlib
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent.parent / "static" / "js"
# Static and dynamic imports of the site's own files. Comments, which name types, are removed first.
IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']""")
COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)


def imports(folder: Path) -> dict[Path, set[Path]]:
    """The files that each script of a folder imports."""
    return {
        file: {
            (file.parent / name).resolve()
            for name in IMPORT.findall(COMMENT.sub("", file.read_text("utf-8")))
        }
        for file in folder.resolve().rglob("*.js")
    }


def in_order(graph: Mapping[Path, set[Path]]) -> list[Path]:
    """The scripts, imports first; raises graphlib.CycleError if they form a cycle."""
    return list(graphlib.TopologicalSorter(graph).static_order())


def test_no_script_imports_itself_by_way_of_others() -> None:
    graph = imports(SCRIPTS)
    order = in_order(graph)
    assert len(order) == len(graph) > 40
    page, part = SCRIPTS / "page.js", SCRIPTS / "cell" / "editor.js"  # imported on demand
    assert order.index(part.resolve()) < order.index(page.resolve())


def test_a_cycle_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('/** @typedef {import("./c.js").C} C */\nimport "./b.js";\n')
    (tmp_path / "b.js").write_text('const a = () => import("./a.js");\n')
    (tmp_path / "c.js").write_text('import { a } from "./a.js";\n')
    with pytest.raises(graphlib.CycleError) as raised:
        in_order(imports(tmp_path))
    assert {file.name for file in raised.value.args[1]} == {"a.js", "b.js"}
