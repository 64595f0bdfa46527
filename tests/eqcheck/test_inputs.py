"""Inputs are drawn so that mistakes show."""

from typing import Any

import numpy as np
import pytest

from eqcheck import DeclaredInput, InputSet, declare_input, draw_inputs

DECLARED = [
    declare_input(line)
    for line in (
        "Q (H, T, k) = [[[1, 0], [0, 1]], [[2, 1], [1, 1]]]",
        "W (T, 4 k) = [[1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]]",
        "M (T, H k) = [[1, 2, 3, 4], [4, 3, 2, 1]]",
        "ids (T,) integer < V = [0, 2]",
        "eps () positive = 1e-5",
        "A (k, k) spd = [[2, 1], [1, 2]]",
        "w (3,) = [1, 2, 3]",
    )
]
MODEL = {"H": 4, "T": 16, "k": 8, "V": 29}


def drawn(**options: Any) -> tuple[InputSet, ...]:  # noqa: ANN401 - those of draw_inputs
    return draw_inputs(DECLARED, model_sizes=MODEL, **options)


def array(inputs: InputSet, name: str) -> Any:  # noqa: ANN401 - an array of any kind
    return inputs.values[name]


def test_a_declaration() -> None:
    declared = declare_input("  ids (T, 2 k) integer < V = [[0, 1]] ")
    assert (declared.name, declared.kind, str(declared.below)) == ("ids", "integer", "V")
    assert [str(axis) for axis in declared.axes] == ["T", "2 k"]
    assert declared.example == [[0, 1]]
    assert declared.dimensions == {"T", "k", "V"}
    assert declare_input("P (4H, H k)").axes[0].of({"H": 3}) == 12
    assert declare_input("eps ()") == DeclaredInput(name="eps")
    assert declare_input("x (n,) = [-1.5, 2]").example == [-1.5, 2]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Q", "is not a declaration such as"),
        ("Q (T, d) =", "is not a declaration"),
        ("Q (T, d) complex", "Q cannot be 'complex', only real, positive, integer, spd"),
        ("ids (T,) integer", "write 'integer < V' with the bound"),
        ("Q (T,) < V", "only for integers"),
        ("Q (T + 1, d)", "is not a size such as"),
        ("Q (0, d)", "a size cannot be 0"),
        ("A (n, m) spd", "is no square matrix"),
        ("Q (T,) = [1, x]", "the value of Q is no number or list of numbers"),
        ("Q (T, d) = [[1, 2], [3]]", "the rows of Q differ in length"),
        ("Q (T, d) = [1, 2]", r"the value of Q has shape \(2,\), and 2 axes are declared"),
        ("eps () = [1]", "and 0 axes are declared"),
        ("ids (T,) integer < V = [0.5]", "is an integer, and its value is not"),
        ("eps () positive = 0", "is positive, and its value is not"),
    ],
)
def test_declarations_that_cannot_be_read(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        declare_input(line)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["Q (T, d) = [[1, 2]]", "g (d,) = [1, 2, 3]"], "d is 2 in one value, and 3 in g"),
        (["Q (T, d) = [[1, 2]]", "W (2 d,) = [1, 2, 3]"], "an axis of W is 2 d, which is 4, not 3"),
        (["Q (V, d) = [[1, 2]]", "i (T,) integer < V = [1]"], "i must be from 0 to V - 1"),
    ],
)
def test_examples_that_contradict_one_another(lines: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw_inputs([declare_input(line) for line in lines])


def test_sizes() -> None:
    sets = drawn()
    random = [
        one for one in sets if one.name.startswith("random input") and "model" not in one.name
    ]
    shapes = {array(one, "Q").shape for one in random}
    assert len(shapes) == 2
    for shape in shapes:
        assert len(set(shape)) == len(shape)
    first, second = shapes
    assert all((a - b) % 2 for a, b in zip(first, second, strict=True))  # odd and even
    for one in sets:
        H, T, k = array(one, "Q").shape
        assert array(one, "W").shape == (T, 4 * k)
        assert array(one, "M").shape == (T, H * k)
        assert array(one, "w").shape == (3,)
    (model,) = [one for one in sets if "model" in one.name]
    assert array(model, "Q").shape == (4, 16, 8)
    assert array(model, "ids").max() < 29
    assert {array(one, "Q").shape[1] for one in sets if one.name == "the hard input “T = 1”"} == {1}


def test_the_worked_example_comes_first_if_all_have_values() -> None:
    worked = drawn()[0]
    assert worked.name == "the worked example"
    assert array(worked, "Q").dtype == float
    assert array(worked, "ids").dtype == np.int64
    assert array(worked, "eps") == 1e-5
    incomplete = draw_inputs([*DECLARED, declare_input("z (T,)")], count=1)
    assert incomplete[0].name == "random input 1"


def test_numbers_take_two_values_on_each_size() -> None:
    values = {
        (array(one, "Q").shape, float(array(one, "eps")) == 1e-5)
        for one in drawn()
        if one.name.startswith("random input") and "model" not in one.name
    }
    assert len(values) == 4
    assert all(array(one, "eps") > 0 for one in drawn())


def test_kinds() -> None:
    for one in drawn():
        ids, A = array(one, "ids"), array(one, "A")
        assert ids.dtype.kind == "i"
        assert ids.min() >= 0
        assert (np.linalg.eigvalsh(A) > 0).all()
        assert (A == A.T).all()
    random = [one for one in drawn() if one.name.startswith("random")]
    assert any((array(one, "Q") < 0).any() and (array(one, "Q") > 0).any() for one in random)


def test_hard_inputs_are_hard() -> None:
    hard = {one.name[len("the hard input “") : -1]: one for one in drawn() if one.hard}
    row = array(hard["a constant row in every array"], "Q")[0, 0]
    assert np.ptp(row) == 0  # ties
    assert (array(hard["zeros in every array"], "Q") == 0).any()
    assert array(hard["a huge offset in Q"], "Q").min() > 9e5
    assert np.ptp(array(hard["a wide spread in Q"], "Q")) > 1000
    assert len(set(array(hard["the same number everywhere in ids"], "ids").tolist())) == 1
    assert min(np.abs(array(hard["large numbers everywhere"], name)).max() for name in "QW") > 500
    assert np.linalg.cond(array(hard["a nearly singular matrix in A"], "A")) > 1e6


def test_the_same_seed_draws_the_same() -> None:
    first, again, other = drawn(seed=1), drawn(seed=1), drawn(seed=2)
    pairs = list(zip(first, again, other, strict=True))
    assert all((array(a, "Q") == array(b, "Q")).all() for a, b, _ in pairs)
    assert not (array(pairs[1][0], "Q") == array(pairs[1][2], "Q")).all()
