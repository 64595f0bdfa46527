"""The two sites that are compared: this project with many pages, and their content for Sphinx."""

import json
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = Path("content") / "layer-norm.md"
CODE = Path("src") / "tinygpt" / "ops.py"
_TESTS = ("tests/tinygpt", "tests/lessons", "tests/exercises")
_COPIED = ("content", "templates", "static", "src", *_TESTS)
_DISPLAYED = re.compile(r"^(:::\{(?:equation|step)\}.*?^:::$)", re.DOTALL | re.MULTILINE)
_TARGET = re.compile(r'^<a id="([\w-]+)"></a>$', re.MULTILINE)
_CONFIGURATION = """\
project = "The same pages"
extensions = ["myst_parser"]
myst_enable_extensions = ["dollarmath"]
html_theme = "furo"
"""


def make_project(folder: Path, pages: int) -> None:
    """A copy of the project in which one page occurs `pages` times, each time with its own ids.

    The formulas differ in white space, so that each page's are typeset for that page.
    """
    for name in _COPIED:
        shutil.copytree(
            ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.egg-info", "__pycache__")
        )
    text = (ROOT / PAGE).read_text("utf-8")
    for file in (folder / "content").glob("*.md"):
        file.unlink()
    (folder / "content" / "ids.txt").unlink()  # it lists the pages that were just deleted
    for number in range(pages):
        page = re.sub(r"(?<![\w-])ln-(?=[a-z])", f"ln{number}-", text)
        own = "".join(_with_space(part, number + 1) for part in _DISPLAYED.split(page))
        (folder / page_path(number)).write_text(own, "utf-8")


def _with_space(part: str, width: int) -> str:
    """The part with wider gaps before `=`, if it is a formula."""
    return part.replace(" = ", f"{' ' * width}= ") if _DISPLAYED.match(part) else part


def page_path(number: int) -> Path:
    """The path of a page in the copy."""
    return PAGE.with_name(f"layer-norm-{number}.md")


def edit_prose(folder: Path, mark: str) -> None:
    """Put a mark into a line of the first page's prose, in place of the previous mark."""
    file = folder / page_path(0)
    changed, count = re.subn(
        r"^This page shows.*",
        f"This page shows {mark}",
        file.read_text("utf-8"),
        flags=re.MULTILINE,
    )
    _write_once(file, changed, count)


def edit_code(folder: Path, mark: str) -> None:
    """Put a mark into a comment on a line of code that every page lists."""
    file = folder / CODE
    changed, count = re.subn(
        r"(?<=\n    mu = )([^#\n]*[^#\s])[^\n]*", rf"\1  # {mark}", file.read_text("utf-8"), count=1
    )
    _write_once(file, changed, count)


def _write_once(file: Path, text: str, count: int) -> None:
    if count != 1:
        raise ValueError(f"{file}: the line to edit occurs {count} times")
    file.write_text(text, "utf-8")


def make_sphinx(folder: Path, built: Path, pages: int) -> None:
    """The same content for Sphinx, myst-parser and furo: equations, listings and tables.

    It is the text of the notebooks of the built copy, in which no directive is left. Sphinx leaves
    typesetting the maths to the browser of the reader.

    Args:
        folder: to be made.
        built: the built copy of `pages` pages.
        pages: how many.
    """
    folder.mkdir(parents=True)
    (folder / "conf.py").write_text(_CONFIGURATION, "utf-8")
    names = [page_path(number).stem for number in range(pages)]
    toctree = "\n".join(["```{toctree}", *names, "```"])
    (folder / "index.md").write_text(f"# The same pages\n\n{toctree}\n", "utf-8")
    for name in names:
        notebook = json.loads((built / f"{name}.ipynb").read_text("utf-8"))
        text = "\n\n".join(_cell(cell) for cell in notebook["cells"])
        (folder / f"{name}.md").write_text(text, "utf-8")


def _cell(cell: dict[str, object]) -> str:
    source = cell["source"]
    text = "".join(source) if isinstance(source, list) else str(source)
    text = _TARGET.sub(r"(\1)=", text)  # as MyST writes it: a link that leads nowhere is a warning
    return text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```"
