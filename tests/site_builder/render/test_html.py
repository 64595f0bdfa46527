"""A template that is wrong is a problem with a place, like anything else."""

import pytest

from tests.site_builder.projects import Project


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("{{ view.nothing }}", "has no attribute 'nothing'"),
        ("{% if %}", "Expected an expression"),
        ("{{ unknown }}", "'unknown' is undefined"),
        ('{% include "nowhere.html" %}', "nowhere.html"),
    ],
)
def test_a_wrong_template_names_its_line(tiny: Project, wrong: str, message: str) -> None:
    line = tiny.append("templates/prose.html", wrong + "\n")
    problem = tiny.problem()
    assert problem.startswith(f"templates/prose.html:{line}: this template fails: ")
    assert message in problem
    assert problem.endswith("; correct it")
