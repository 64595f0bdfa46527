import pytest

from site_builder.observe.observation import Shape
from site_builder.observe.sizes import Sizes, UnknownSizeError
from site_builder.problem import Report
from tests.site_builder.projects import LESSON, OPS, PAGE, SETTINGS, Project
from tests.site_builder.read.modules import problems

RUNS = [{"T": 16, "d": 32, "H": 2}, {"T": 5, "d": 14, "H": 3}, {"T": 6, "d": 15, "H": 7}]


@pytest.mark.parametrize(
    ("shapes", "symbolic", "concrete"),
    [
        ([[16, 32], [5, 14], [6, 15]], "(T, d)", "(16, 32)"),
        ([[32, 16], [14, 5], [15, 6]], "(d, T)", "(32, 16)"),
        ([[32], [14], [15]], "(d,)", "(32,)"),
        ([[16, 1], [5, 1], [6, 1]], "(T, 1)", "(16, 1)"),
        ([[16, 32, 32], [5, 14, 14], [6, 15, 15]], "(T, d, d)", "(16, 32, 32)"),
        ([[128, 3], [56, 3], [60, 3]], "(4d, 3)", "(128, 3)"),
        ([[0], [0], [0]], "(0,)", "(0,)"),
        ([[], [], []], "scalar", ""),
        (
            [([16, 32], []), ([5, 14], []), ([6, 15], [])],
            "(T, d) and scalar",
            "(16, 32)",
        ),
        (["dict"] * 3, "dict", ""),
    ],
)
def test_names(shapes: list[Shape], symbolic: str, concrete: str) -> None:
    view = Sizes(RUNS).name(shapes)
    assert (view.symbolic, view.concrete) == (symbolic, concrete)


@pytest.mark.parametrize("column", [(16, 14, 15), (17, 6, 7), (48, 19, 21), (16, 5, 7), (8, 3, 3)])
def test_a_size_that_no_dimension_explains_in_all_runs(column: tuple[int, int, int]) -> None:
    with pytest.raises(UnknownSizeError, match=f"sizes {', '.join(map(str, column))}"):
        Sizes(RUNS).name([[size] for size in column])


def test_sizes_that_coincide_only_as_configured_are_told_apart() -> None:
    sizes = Sizes([{"T": 8, "d": 8}, {"T": 5, "d": 14}, {"T": 6, "d": 15}])
    report = Report()
    sizes.check(report)
    assert problems(report) == []
    assert sizes.name([[8, 8], [5, 14], [6, 15]]).symbolic == "(T, d)"


@pytest.mark.parametrize(
    ("second", "what"),
    [
        ({"T": 5, "d": 5}, "d and T both have size 5 in one of the runs"),
        ({"T": 1, "d": 5}, "T and 1 both have size 1 in one of the runs"),
    ],
)
def test_coinciding_sizes_are_reported(second: dict[str, int], what: str) -> None:
    report = Report()
    Sizes([{"T": 2, "d": 3}, second, {"T": 6, "d": 7}]).check(report)
    assert problems(report) == [f"{SETTINGS}: {what}; choose other numbers under [observe] sizes"]


def test_a_dimension_that_never_changes_is_reported() -> None:
    report = Report()
    Sizes([{"T": 2, "d": 3}, {"T": 5, "d": 3}, {"T": 6, "d": 3}]).check(report)
    assert problems(report) == [
        f"{SETTINGS}: d has the same size 3 in all runs; choose other numbers under [observe] sizes"
    ]


def test_coinciding_sizes_in_a_project(tiny: Project) -> None:
    tiny.replace(SETTINGS, "rows = 3, width = 5", "rows = 5, width = 5")
    assert tiny.problem() == (
        f"{SETTINGS}: d and T both have size 5 in one of the runs;"
        " choose other numbers under [observe] sizes"
    )


def test_shapes_on_the_page_follow_swapped_axes(tiny: Project) -> None:
    assert "<code>(T, 1)</code>" in tiny.page()
    tiny.replace(LESSON, "twice(np.ones((cfg.rows, cfg.width)))",
                 "twice(np.ones((cfg.width, cfg.rows)))")  # fmt: skip
    assert tiny.build().code == 0
    assert "<code>(T, 1)</code>" not in tiny.page()
    assert "<code>(d, 1)</code>" in tiny.page()
    assert "<code>(d, T)</code>" in tiny.page()


def test_an_unknown_size_on_a_page(tiny: Project) -> None:
    tiny.replace(OPS, "    Y = X - mu\n", "    Y = X - mu\n    Z = X[1:]\n")
    line = tiny.append(PAGE, "\n:::{variables} Rest\nZ | ops.centre:Z\n:::\n") + 2
    assert tiny.problem() == (
        f"{PAGE}:{line}: the shape of 'tiny.ops.centre:Z': no dimension had the sizes 3, 2, 6;"
        " add it to [dimensions] in site.toml"
    )


def test_a_variable_that_no_run_reaches(tiny: Project) -> None:
    tiny.replace(OPS, "    Y = X - mu\n", "    Y = X - mu\n    if Y is None:\n        Z = X\n")
    line = tiny.append(PAGE, "\n:::{variables} Rest\nZ | ops.centre:Z\n:::\n") + 2
    assert tiny.problem() == (
        f"{PAGE}:{line}: 'tiny.ops.centre:Z' ({OPS}:9) was not computed when the code ran, so its"
        " shape is not known; make one of [observe] runs reach it"
    )
