"""No browser test waits for a promise with what does not wait for one."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDERS = (Path(__file__).parent, Path(__file__).parent.parent.parent / "bench")
LATER = ("async", "await", ".then(", "Promise")


def waited_for(source: str) -> Iterator[tuple[int, str]]:
    """The line of each `wait_for_function`, and the script that it is given."""
    tree = ast.parse(source)
    texts = {
        target.id: ast.unparse(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("wait_for_function"):
            script = ast.unparse(node.args[0])
            yield node.lineno, texts.get(script, script)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_scripts_that_answer_later_are_waited_for(folder: Path) -> None:
    scripts = [
        (f"{file.name}:{line}", script)
        for file in folder.glob("*.py")
        for line, script in waited_for(file.read_text("utf-8"))
    ]
    assert scripts
    assert [place for place, script in scripts if any(word in script for word in LATER)] == []
