import inspect
from types import FunctionType
from typing import Any, cast

import numpy as np
import pytest

from eqcheck import Activation, Caller, observing
from tests.eqcheck import subject, twin_a, twin_b


def line(text: str) -> int:
    lines = inspect.getsource(subject).split("\n")
    found = [number for number, found in enumerate(lines, start=1) if f"# {text}" in found]
    assert len(found) == 1
    return found[0]


def plain(function: object) -> FunctionType:
    return cast("FunctionType", function)


def observe(function: object, *arguments: object, **keywords: object) -> Activation[Any]:
    with observing([plain(function)]) as activations:
        plain(function)(*arguments, **keywords)
    assert len(activations) == 1
    return activations[0]


def assigned(activation: Activation[Any]) -> list[tuple[int, str, object]]:
    return [(item.line, item.name, item.value) for item in activation.assigned]


def test_several_assignments_to_one_name() -> None:
    activation = observe(subject.several, 1)
    assert activation.function == "tests.eqcheck.subject.several"
    assert activation.arguments == {"x": 1}
    assert assigned(activation) == [
        (line("first"), "y", 2),
        (line("second"), "y", 4),
        (line("augmented"), "y", 14),
        (line("annotated"), "z", 14),
    ]
    assert activation.result == 14


def test_loops() -> None:
    head, body = line("head"), line("body")
    activation = observe(subject.loop, 2)
    assert assigned(activation)[1:] == [
        (head, "i", 0),
        (body, "total", 0),
        (head, "i", 1),
        (body, "total", 1),
    ]
    assert (line("while"), "total", 5) in assigned(observe(subject.loop, 15))


def test_targets_that_are_no_plain_names() -> None:
    activation = observe(subject.targets, (1, [2, 3, 4]))
    at = line("unpacked")
    assert assigned(activation)[:5] == [
        (at, "a", 1),
        (at, "b", 2),
        (at, "rest", [3, 4]),
        (line("chained"), "c", 1),
        (line("chained"), "d", 1),
    ]
    assert [item.name for item in activation.assigned[5:]] == ["state", "kept", "e"]
    assert activation.assigned[6].value == {"b": 2}  # as it was then
    assert activation.result == 3


def test_nested_calls_in_the_order_in_which_they_start() -> None:
    with observing([plain(subject.outer), plain(subject.inner)]) as activations:
        subject.outer(1.0)
    assert [activation.arguments["x"] for activation in activations] == [1.0, 1.0, 3.0, 1.0]
    assert [activation.result for activation in activations] == [10.0, 3.0, 7.0, 3.0]


def test_recursion() -> None:
    with observing([plain(subject.fibonacci)]) as activations:
        subject.fibonacci(3)
    assert [activation.arguments["n"] for activation in activations] == [3, 2, 1, 0, 1]
    assert [activation.result for activation in activations] == [2, 1, 1, 0, 1]
    assert [item.value for item in activations[0].assigned] == [1]


@pytest.mark.parametrize("x", [[], [1]])
def test_return_without_a_value(x: list[int]) -> None:
    activation = observe(subject.returns_nothing, x)
    assert activation.result is None
    assert activation.arguments == {"x": [] if len(x) == 0 else [1]}


def test_falling_off_the_end() -> None:
    x: list[int] = []
    assert observe(subject.falls_off, x).result is None
    assert x == [2]


def test_an_exception_ends_the_record_and_code_is_restored() -> None:
    code = plain(subject.raises).__code__
    with observing([plain(subject.raises)]) as activations:
        assert plain(subject.raises).__code__ is not code
        with pytest.raises(ValueError, match="3"):
            subject.raises(3)
    assert plain(subject.raises).__code__ is code
    assert [item.value for item in activations[0].assigned] == [3]
    assert activations[0].result is None


def test_an_exception_in_the_block_restores_the_code() -> None:
    code = plain(subject.raises).__code__
    names = set(vars(subject))

    def run() -> None:
        with observing([plain(subject.raises)]):
            subject.raises(3)

    with pytest.raises(ValueError, match="3"):
        run()
    assert plain(subject.raises).__code__ is code
    assert set(vars(subject)) == names


def test_an_exception_that_is_caught_inside() -> None:
    activation = observe(subject.caught, 5)
    assert [(item.name, item.value) for item in activation.assigned] == [
        ("text", ""),
        ("text", "5"),
        ("done", True),
    ]
    assert activation.result == "5"


def test_every_kind_of_parameter() -> None:
    activation = observe(subject.defaults, 1)
    assert activation.arguments == {"a": 1, "b": 2, "c": (), "d": 4, "e": {}}
    activation = observe(subject.defaults, 1, 3, 5, d=7, f=9)
    assert activation.arguments == {"a": 1, "b": 3, "c": (5,), "d": 7, "e": {"f": 9}}
    assert activation.result == 25


def test_methods_with_private_names() -> None:
    counter = subject.Counter()
    activation = observe(subject.Counter.add, counter, 2)
    assert activation.function == "tests.eqcheck.subject.Counter.add"
    assert activation.result == 2
    with observing([plain(subject.Counter.add)]) as activations:
        counter.add(3)
    assert activations[0].result == 5


def test_static_and_class_methods() -> None:
    assert assigned(observe(subject.Counter.twice, 3))[0][1:] == ("y", 6)
    method = subject.Counter.make.__func__  # type: ignore[attr-defined]
    with observing([method]) as activations:
        made = subject.Counter.make()
    assert isinstance(made, subject.Counter)
    assert activations[0].arguments == {"cls": subject.Counter}


def test_arrays_are_copied_as_they_were() -> None:
    X = np.zeros(2)
    activation = observe(subject.in_place, X)
    assert np.asarray(activation.arguments["X"]).tolist() == [0.0, 0.0]
    values = [np.asarray(item.value).tolist() for item in activation.assigned]
    assert values == [[0.0, 0.0], [1.0, 1.0]]
    assert np.asarray(activation.result).tolist() == [7.0, 1.0]
    X[:] = 5.0
    assert np.asarray(activation.result).tolist() == [7.0, 1.0]


def test_snapshot_decides_what_is_kept() -> None:
    with observing([plain(subject.several)], snapshot=repr) as activations:
        subject.several(1)
    assert activations[0].arguments == {"x": "1"}
    assert activations[0].result == "14"


def test_keep_decides_which_activations_are_recorded() -> None:
    asked: list[tuple[str, int, dict[str, object]]] = []

    def keep(function: str, caller: Caller, arguments: dict[str, object]) -> bool:
        asked.append((function, caller.line, arguments))
        return arguments["x"] == 3.0

    with observing([plain(subject.inner)], keep=keep) as activations:
        assert subject.outer(1.0) == 10.0
    assert [item.arguments["x"] for item in activations] == [3.0]
    assert asked[0] == ("tests.eqcheck.subject.inner", line("three calls"), {"x": 1.0})


def test_subexpressions() -> None:
    mean = "X.mean(axis=-1, keepdims=True)"
    largest = "np.abs(Y).max()"
    function = plain(subject.subexpressions)
    wanted = {function: frozenset([mean, largest, "Y", "np.nothing()"])}
    X = np.array([[1.0, 3.0]])
    expected = subject.subexpressions(X)
    with observing([function], expressions=wanted) as activations:
        result = function(X)
    np.testing.assert_array_equal(result, expected)
    evaluated = activations[0].evaluated
    assert set(evaluated) == {mean, largest, "Y"}
    assert np.asarray(evaluated[mean]).tolist() == [[2.0]]
    assert evaluated[largest] == 1.0


def test_a_subexpression_that_is_also_assigned() -> None:
    function = plain(subject.several)
    with observing([function], expressions={function: frozenset(["y"])}) as activations:
        assert function(1) == 14
    assert activations[0].evaluated == {"y": 14}


def test_functions_inside_are_left_alone() -> None:
    activation = observe(subject.scopes, 3)
    assert [item.name for item in activation.assigned] == ["squares", "longest"]
    assert activation.result == 13


def test_decorated_functions_that_stay_plain() -> None:
    assert observe(subject.with_decorators, 3).result == 3


def test_equal_functions_of_two_modules_are_told_apart() -> None:
    functions = [plain(twin_a.same), plain(twin_b.same)]
    assert functions[0].__code__ == functions[1].__code__
    with observing(functions) as activations:
        assert [function.__code__.co_filename for function in functions] == [
            twin_a.__file__,
            twin_b.__file__,
        ]
        twin_a.same(1)
        twin_b.same(2)
    assert [item.function for item in activations] == [
        "tests.eqcheck.twin_a.same",
        "tests.eqcheck.twin_b.same",
    ]


def test_a_function_that_another_module_imported() -> None:
    from tests.eqcheck.subject import inner  # noqa: PLC0415 - another name for it, as imports make

    with observing([plain(subject.inner)]) as activations:
        inner(1.0)
    assert [item.result for item in activations] == [3.0]


def test_callers_are_told_apart_by_line_and_column() -> None:
    with observing([plain(subject.inner)]) as activations:
        subject.outer(1.0)
    source = inspect.getsource(subject).split("\n")[line("three calls") - 1]
    columns = [
        source.index("inner(inner(x))") + len("inner("),
        source.index("inner(inner(x))"),
        source.index("inner(x=1.0)"),
    ]
    assert [item.caller for item in activations] == [
        Caller(path=subject.__file__, line=line("three calls"), column=column) for column in columns
    ]


def test_callers_on_continued_lines() -> None:
    with observing([plain(subject.inner), plain(subject.continued)]) as activations:
        subject.continued(1.0)
    upper = line("upper")
    places = [(item.caller.line, item.caller.column) for item in activations[1:]]
    assert places == [(upper, 8), (upper + 1, 10)]


def test_columns_count_bytes_as_ast_does() -> None:
    with observing([plain(subject.inner)]) as activations:
        subject.unicode_columns(1.0)
    source = next(s for s in inspect.getsource(subject).split("\n") if "größe =" in s)
    expected = len(source[: source.index("inner(x)")].encode())
    assert expected != source.index("inner(x)")
    assert activations[0].caller.column == expected


def test_of_what_is_not_recorded_nothing_is_copied() -> None:
    copied: list[object] = []

    def snapshot(value: object) -> object:
        copied.append(value)
        return value

    def keep(_function: str, _caller: Caller, _arguments: dict[str, object]) -> bool:
        return False

    with observing([plain(subject.inner)], snapshot=snapshot, keep=keep) as activations:
        assert subject.outer(1.0) == 10.0
    assert (activations, copied) == ([], [])
