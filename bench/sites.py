"""The two sites that are compared: this project with many pages, and plain pages for Sphinx."""

import re
import shutil
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = Path("content") / "layer-norm.md"
CODE = Path("src") / "tinygpt" / "ops.py"
_TESTS = ("tests/tinygpt", "tests/lessons", "tests/exercises")
_COPIED = ("content", "templates", "static", "src", *_TESTS)
_DISPLAYED = re.compile(r"^(:::\{(?:equation|step)\}.*?^:::$)", re.DOTALL | re.MULTILINE)


def make_project(folder: Path, pages: int) -> None:
    """A copy of the project whose one page stands there `pages` times, each with its own ids.

    The formulas differ in white space, so that each page's are typeset for that page.
    """
    for name in _COPIED:
        shutil.copytree(
            ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.egg-info", "__pycache__")
        )
    text = (ROOT / PAGE).read_text("utf-8")
    for file in (folder / "content").glob("*.md"):
        file.unlink()
    (folder / "content" / "ids.txt").unlink()  # the pages that it has are gone
    for number in range(pages):
        page = re.sub(r"(?<![\w-])ln-(?=[a-z])", f"ln{number}-", text)
        own = "".join(_with_space(part, number + 1) for part in _DISPLAYED.split(page))
        (folder / page_path(number)).write_text(own, "utf-8")
    code = folder / CODE
    code.write_text(f"# edited 0\n{code.read_text('utf-8')}", "utf-8")


def _with_space(part: str, width: int) -> str:
    """The part with wider gaps before `=`, if it is a formula."""
    return part.replace(" = ", f"{' ' * width}= ") if _DISPLAYED.match(part) else part


def page_path(number: int) -> Path:
    """Where a page lies in the copy."""
    return PAGE.with_name(f"layer-norm-{number}.md")


def edit_prose(folder: Path, number: int) -> None:
    """Change one line of one page's text."""
    file = folder / page_path(0)
    text = file.read_text("utf-8")
    start = text.index("\nThis page shows")
    end = text.index("\n", start + 1)
    file.write_text(f"{text[:start]}\nThis page shows both, edit {number}{text[end:]}", "utf-8")


def edit_code(folder: Path, number: int) -> None:
    """Change one comment of the code, which moves no line."""
    file = folder / CODE
    _, _, rest = file.read_text("utf-8").partition("\n")
    file.write_text(f"# edited {number}\n{rest}", "utf-8")


def make_sphinx(folder: Path, pages: int) -> None:
    """As many plain reST pages of the same size: headings and paragraphs, no mathematics."""
    folder.mkdir(parents=True)
    size = len((ROOT / PAGE).read_bytes())
    (folder / "conf.py").write_text('project = "plain"\nextensions = []\n', "utf-8")
    names = [f"page-{number}" for number in range(pages)]
    toctree = "".join(f"   {name}\n" for name in names)
    (folder / "index.rst").write_text(f"Plain\n=====\n\n.. toctree::\n\n{toctree}", "utf-8")
    words = _words()
    for name in names:
        text = f"{name}\n{'=' * len(name)}\n\n"
        section = 0
        while len(text) < size:
            section += 1
            heading = f"Section {section}"
            paragraph = "\n".join(words[i : i + 80] for i in range(0, 800, 80))
            text += f"{heading}\n{'-' * len(heading)}\n\n{paragraph}\n\n{paragraph}\n\n"
        (folder / f"{name}.rst").write_text(text[:size] + "\n", "utf-8")


def _words() -> str:
    """Plain words out of the page's own prose."""
    text = (ROOT / PAGE).read_text("utf-8")
    return " ".join(re.findall(r"\b[a-z]{2,}\b", text))[:800].replace("\n", " ")
