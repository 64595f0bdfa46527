"""docs/authoring.md says all that the code accepts, and its examples are a page that builds."""

import re
import tomllib
from pathlib import Path

import pytest

from site_builder.directives import DIRECTIVES
from site_builder.resolve.roles import ROLES
from tests.site_builder.projects import Project

ROOT = Path(__file__).parent.parent
AUTHORING = (ROOT / "docs" / "authoring.md").read_text("utf-8")
_OPTION_ROW = re.compile(r"^\| `:([\w-]+):` \| (required|optional) \|", re.MULTILINE)
_MARKDOWN_BLOCK = re.compile(r"^````markdown\n(.*?)^````$", re.DOTALL | re.MULTILINE)


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


@pytest.mark.site
def test_the_examples_are_a_page_that_builds(site: Project) -> None:
    site.write("content/softmax.md", _example_page())
    outcome = site.build("check")
    assert not outcome.errors
    assert outcome.code == 0


def test_links_between_documents_lead_somewhere() -> None:
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    dead = [
        f"{document.relative_to(ROOT)}: {target}"
        for document in documents
        for target in _link_targets(document.read_text("utf-8"))
        if not (document.parent / target).exists()
    ]
    assert not dead


def _link_targets(text: str) -> list[str]:
    without_code = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", without_code)


def test_a_decision_has_the_number_of_its_file() -> None:
    decisions = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [int(decision.name.partition("-")[0]) for decision in decisions]
    assert len(set(numbers)) == len(numbers) > 0
    for number, decision in zip(numbers, decisions, strict=True):
        assert decision.read_text("utf-8").startswith(f"# {number}. ")
