"""Lessons with a configuration and dimensions of their own, beside those of the subject."""

import pytest

from tests.site_builder.projects import PAGE, SETTINGS, Project

STUDY = """
[[observe.lessons]]
configuration = "lessons.block.configuration"
runs = ["lessons.block.run"]
dimensions = { T = "tokens", C = "features" }
sizes = [{ tokens = 11, features = 13 }, { tokens = 17, features = 19 }]
"""
BLOCK = '''
"""A lesson over (T, C)."""

from dataclasses import dataclass

import numpy as np

from tiny.ops import centre


@dataclass(frozen=True)
class Block:
    """Sizes of a block."""

    tokens: int = 2
    features: int = 9


def configuration():
    return Block()


def scale(x):
    out = 2 * centre(x)
    return out


def run(block):
    scale(np.ones((block.tokens, block.features)))
'''


@pytest.fixture
def project(tiny: Project) -> Project:
    tiny.write("src/lessons/block.py", BLOCK)
    tiny.append(SETTINGS, STUDY)
    return tiny


def test_variables_have_the_dimensions_of_the_study_that_called_their_function(
    project: Project,
) -> None:
    project.append(PAGE, "\n:::{variables} Scaled\nout | block.scale:out\n:::\n")
    project.append(PAGE, '\n{claim}`Nine | shape("block.scale:out") == [2, 9]`.\n')
    assert not project.build().errors
    page = project.page()
    assert "<code>(T, C)</code>" in page
    assert "T = tokens = 2, C = features = 9" in page


def test_a_function_of_both_keeps_the_dimensions_of_the_subject(project: Project) -> None:
    project.append(PAGE, '\n{claim}`Six | shape("ops.centre:Y") == [4, 6]`.\n')
    assert not project.build().errors
    assert "<code>(T, d)</code>" in project.page()


def test_conditions_know_the_sizes_of_all_studies(project: Project) -> None:
    project.append(PAGE, "\n{claim}`Sizes | config.features == 9 and config.width == 6`.\n")
    assert not project.build().errors


def test_coinciding_sizes_of_a_lesson_are_reported(project: Project) -> None:
    project.replace(SETTINGS, "tokens = 11, features = 13", "tokens = 13, features = 13")
    assert project.problem() == (
        f"{SETTINGS}: C and T both have size 13 in one of the runs;"
        " choose other numbers under [observe] sizes"
    )


def test_a_lesson_that_fails_is_reported_with_its_line(project: Project) -> None:
    project.replace("src/lessons/block.py", "    out = 2 * centre(x)\n", "    out = x.nothing\n")
    line = project.line("src/lessons/block.py", "x.nothing")
    assert project.problem().startswith(f"src/lessons/block.py:{line}: raises AttributeError")
