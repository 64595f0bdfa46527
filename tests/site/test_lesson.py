"""The lesson page: its parts, its printed figures, its equations and exercises."""

import re
from typing import Any

import pytest

from tests.site.html import Element

pytestmark = pytest.mark.site

# Known figures of the seeded block; another order of adding changes their last digits.
ERRORS = {
    "dx": 2.824402011294511e-08,
    "dgamma": 1.757852155326469e-09,
    "dbeta": 3.4275647975734703e-10,
}


@pytest.fixture(scope="module")
def lesson(pages: dict[str, Element]) -> Element:
    return pages["lesson.html"]


def printed(lesson: Element, program: str) -> list[str]:
    (figure,) = [
        figure
        for figure in lesson.all("figure", "printed")
        if figure.one("figcaption").all("code")[0].text == program
    ]
    return figure.one("samp").text.splitlines()


def test_the_parts_come_in_the_order_of_a_lesson(lesson: Element) -> None:
    assert [heading.get("id") for heading in lesson.all("h2")] == [
        "objectives",
        "normalising",
        "batch-norm",
        "forward",
        "derivation",
        "terms",
        "backward",
        "gradient-check",
        "exercises",
        "summary",
        "next",
    ]


def test_the_errors_are_those_that_the_build_measured(lesson: Element) -> None:
    _, *lines = printed(lesson, "show_gradient_check")
    errors = {line.split()[0]: float(line.split()[-1]) for line in lines}
    assert errors == pytest.approx(ERRORS, rel=0, abs=1e-12)


def test_the_terms_of_the_first_token_add_up(lesson: Element) -> None:
    _, *lines = printed(lesson, "show_terms")
    assert len(lines) == 8
    for line in lines:
        _, direct, mean, var, total = map(float, line.split())
        assert direct + mean + var == pytest.approx(total, abs=2e-4)


def test_only_dx_with_all_its_terms_is_right(lesson: Element) -> None:
    _, *lines = printed(lesson, "show_omissions")
    found = {line[:19].strip(): [*map(float, line[19:].split())] for line in lines}
    assert [name for name, (error, *_) in found.items() if error < 1e-6] == ["nothing"]
    assert found["mean correction"][1] > 0.1 > found["mean correction"][2]
    assert found["variance correction"][2] > 0.1 > found["variance correction"][1]


def test_every_equation_is_executed(explain: dict[str, Any]) -> None:
    (page,) = [page for page in explain["pages"] if page["url"] == "lesson.html"]
    verdicts = {e["id"]: e["verdict"] for e in page["equations"]}
    assert len(verdicts) >= 20
    assert {id_ for id_, verdict in verdicts.items() if not verdict["executed"]} == set()


def test_symbols_have_the_dimensions_of_the_lesson(lesson: Element) -> None:
    row = lesson.by_id("sym-dx")
    assert [code.text for code in row.all("span", "shape")[0].all("code")] == [
        "(B, T, C)",
        "(2, 4, 8)",
    ]


def test_each_exercise_has_hints_and_a_solution(lesson: Element) -> None:
    exercises = lesson.all("code-exercise")
    assert len(exercises) == 6
    for exercise in exercises:
        assert len(exercise.all("details", "hint")) >= 2
        assert re.search(r"def \w+\(", exercise.one("details", "solution").text)
