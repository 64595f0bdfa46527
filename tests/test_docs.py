"""docs/authoring.md says all that the code accepts, and its examples are a page that builds."""

import re
import tomllib
from pathlib import Path

import pytest

from eqcheck.parse import FUNCTIONS, REDUCTIONS
from site_builder.directives import DIRECTIVES
from site_builder.directives.figure import KINDS
from site_builder.resolve.roles import ROLES
from tests.site_builder.projects import Project

ROOT = Path(__file__).parent.parent
AUTHORING = (ROOT / "docs" / "authoring.md").read_text("utf-8")
_OPTION_ROW = re.compile(r"^\| `:([\w-]+):` \| (required|optional) \|", re.MULTILINE)
_MARKDOWN_BLOCK = re.compile(r"^````markdown\n(.*?)^````$", re.DOTALL | re.MULTILINE)
_WALK = AUTHORING.partition("## From a function to a page")[2].partition("\n## Commands")[0]
_FILE = re.compile(r"`([\w-]+(?:/[\w-]+)+\.(?:py|mjs|js|toml|txt|html))`")
_WALK_FILE = re.compile(r"`([\w/.]+)`:\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def _section(title: str) -> dict[str, str]:
    """The entries of a section by name: the text below each `### {name}`."""
    section = re.split(r"^## ", AUTHORING, flags=re.MULTILINE)
    text = next(part for part in section if part.startswith(f"{title}\n"))
    _, *entries = re.split(r"^### `\{", text, flags=re.MULTILINE)
    return {entry.partition("}")[0]: entry for entry in entries}


def _example_page() -> str:
    return "\n".join(_MARKDOWN_BLOCK.findall(AUTHORING))


def test_every_directive_is_documented_and_no_other() -> None:
    assert set(_section("Directives")) == {*DIRECTIVES, "include"}


@pytest.mark.parametrize("name", DIRECTIVES)
def test_options_are_documented_as_the_code_has_them(name: str) -> None:
    documented = {
        option: demanded == "required"
        for option, demanded in _OPTION_ROW.findall(_section("Directives")[name])
    }
    assert documented == DIRECTIVES[name].accepts.options


def test_every_role_is_documented_and_no_other() -> None:
    assert set(_section("Roles")) == set(ROLES)


def test_the_example_uses_every_directive_and_role() -> None:
    page = _example_page()
    assert set(re.findall(r"^:::\{([\w-]+)\}", page, re.MULTILINE)) == set(DIRECTIVES)
    assert set(re.findall(r"(?<!:::)\{([a-z]+)\}`", page)) == set(ROLES)


def test_every_setting_is_documented() -> None:
    settings = tomllib.loads((ROOT / "content" / "site.toml").read_text("utf-8"))
    names = {name for name, value in settings.items() if not isinstance(value, dict)}
    names |= {f"[observe] {name}" for name in settings["observe"].keys() - {"lessons"}}
    names |= {"[[observe.lessons]]"}
    names |= {"[code] subject", "[code.folders]", "[dimensions]"}
    text = AUTHORING.partition("## `content/site.toml`")[2]
    missing = [name for name in sorted(names) if f"`{name}`" not in text]
    assert not missing


def test_every_kind_of_figure_is_documented_with_its_names() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| [^|]+ \| (.+) \|$", _section("Directives")["figure"], re.MULTILINE
    )
    documented = {kind: tuple(re.findall(r"`(\w+)`", names)) for kind, names in rows}
    assert documented == KINDS


def test_every_function_of_the_notation_is_documented() -> None:
    _, _, text = AUTHORING.partition("\n## Checked equations\n")
    names = set(re.findall(r"[A-Za-z]+", text.partition("\n## ")[0]))
    assert not {*FUNCTIONS, *REDUCTIONS, "softmax"} - names


@pytest.mark.site
def test_the_examples_are_a_page_that_builds(site: Project) -> None:
    site.write("content/softmax.md", _example_page())
    outcome = site.build("check")
    assert not outcome.errors
    assert outcome.code == 0


@pytest.mark.site
def test_the_walk_leads_to_a_checked_equation(site: Project) -> None:
    files = dict(_WALK_FILE.findall(_WALK))
    assert len(files) == 3
    for path, text in files.items():
        site.write(path, text)
    runs = next(
        line
        for line in site.read("content/site.toml").split("\n")
        if 'lessons.one_step.run"' in line
    )
    site.replace("content/site.toml", runs, runs.replace("]", ', "lessons.rms.observe"]'))
    assert site.build().errors == []
    assert re.search(r"runs: \d+ inputs", site.page("rms.html"))
    (right,) = re.findall(r"^r_t = .*$", files["content/rms.md"], re.MULTILINE)
    (wrong,) = re.findall(r"^```latex\n(.*)\n```$", _WALK, re.MULTILINE)
    site.replace("content/rms.md", right, wrong)
    (messages,) = re.findall(r"^```\n(content/rms.*?)\n```$", _WALK, re.DOTALL | re.MULTILINE)
    assert site.build().errors == messages.split("\n")


def test_links_between_documents_lead_somewhere() -> None:
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    dead = [
        f"{document.relative_to(ROOT)}: {path}#{fragment}"
        for document in documents
        for path, fragment in _links(document.read_text("utf-8"))
        if not _leads_somewhere(document.parent / path if path else document, fragment)
    ]
    assert not dead


def _links(text: str) -> list[tuple[str, str]]:
    return re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", _without_code(text))


def _without_code(text: str) -> str:
    blocks = r"^(`{3,}).*?^\1$"
    return re.sub(rf"{blocks}|`+[^`\n]*\]\([^`\n]*`+", "", text, flags=re.DOTALL | re.MULTILINE)


def _leads_somewhere(target: Path, fragment: str) -> bool:
    if not fragment:
        return target.exists()
    headings = re.findall(r"^#+ (.*)$", _without_code(target.read_text("utf-8")), re.MULTILINE)
    return fragment in {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}


def test_the_files_that_documents_name_exist() -> None:
    folders = [ROOT / name for name in ("", "site_builder", "src", "static", "static/js")]
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    missing = [
        f"{document.relative_to(ROOT)}: {name}"
        for document in documents
        for name in _FILE.findall(document.read_text("utf-8").replace(_WALK, ""))
        if not any((folder / name).is_file() for folder in folders)
    ]
    assert not missing


def test_a_decision_has_the_number_of_its_file() -> None:
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [int(decision.name.partition("-")[0]) for decision in decisions]
    assert len(set(numbers)) == len(numbers) > 0
    for number, decision in zip(numbers, decisions, strict=True):
        assert decision.read_text("utf-8").startswith(f"# {number}. ")
