from pathlib import Path

import pytest

from site_builder.problem import Report
from site_builder.read.settings import read_settings
from tests.site_builder.projects import SETTINGS, Project
from tests.site_builder.read.modules import problems, write


def read(root: Path) -> list[str]:
    report = Report()
    assert read_settings(root, report) is None
    return problems(report)


def test_the_tiny_settings(built_tiny: Project) -> None:
    report = Report()
    settings = read_settings(built_tiny.root, report)
    assert problems(report) == []
    assert settings
    (study,) = settings.observe.studies
    assert settings.folders[0] == ("src/tiny", "tiny")
    assert study.dimensions == {"T": "rows", "d": "width"}
    assert study.sizes == ({"rows": 3, "width": 5}, {"rows": 7, "width": 8})
    assert settings.observe.time_limit == 20.0
    assert (settings.url, settings.repository) == ("", "")


def test_missing(tmp_path: Path) -> None:
    (problem,) = read(tmp_path)
    assert problem.startswith(f"{SETTINGS}: cannot be read (")


def test_not_toml(tmp_path: Path) -> None:
    write(tmp_path, SETTINGS, 'title = "x"\n[code\n')
    (problem,) = read(tmp_path)
    assert problem.startswith(f"{SETTINGS}:2: is not valid TOML (")
    assert problem.endswith("; correct it")


def test_not_toml_at_its_end(tmp_path: Path) -> None:
    write(tmp_path, SETTINGS, 'title = "x"\nurl = "')
    (problem,) = read(tmp_path)
    assert problem.startswith(f"{SETTINGS}: is not valid TOML (")


def test_not_utf8(tmp_path: Path) -> None:
    write(tmp_path, SETTINGS, b'title = "x"\nurl = "\xfc"\n')
    assert read(tmp_path) == [f"{SETTINGS}:2: is not UTF-8 text; save the file as UTF-8"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('subject = "tiny"\n', ""),
        ('title = "Tiny"\n', ""),
        ("time_limit = 20\n", 'time_limit = "long"\n'),
        ("sizes = [{ rows = 3, width = 5 }, { rows = 7, width = 8 }]\n", "sizes = 3\n"),
        ('configuration = "lessons.small.configuration"\n', "configuration = 3\n"),
        ('runs = ["lessons.small.run"]\n', 'runs = "lessons.small.run"\n'),
        ("[dimensions]\n", "[dimension]\n"),
        ("[observe]\n", "[observe]\nlessons = [{ runs = [] }]\n"),
        ("[observe]\n", "[observe]\nlessons = [{ decayed = 'x.y' }]\n"),
        ('title = "Tiny"\n', 'title = "Tiny"\nurl = 3\n'),
        ('title = "Tiny"\n', 'title = "Tiny"\nlicence = "MIT"\n'),
    ],
)
def test_settings_that_are_missing_or_of_the_wrong_kind(tiny: Project, old: str, new: str) -> None:
    tiny.replace(SETTINGS, old, new)
    problem = tiny.problem()
    assert problem.startswith(f"{SETTINGS}: ")
    assert "; " in problem
