"""The conditions of claims: what they can say, and that they can do nothing else."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from site_builder.resolve.conditions import ConditionError, Fact, evaluate_condition

CALLS = [
    Fact({"epsilon": "cfg.ln_eps", "caller": "forward", "line": 3}),
    Fact({"epsilon": None, "caller": "backward", "line": 7}),
]
KNOWN = {
    "calls": lambda _name: CALLS,
    "params": Fact({"b0.g": Fact({"ndim": 1, "shape": [32]})}),
    "size": 32,
    "word": "text",
}


@pytest.mark.parametrize(
    "condition",
    [
        "size == 32",
        "params['b0.g'].ndim == 1 and params['b0.g'].shape == [size]",
        "any(call.epsilon == 'cfg.ln_eps' for call in calls('f'))",
        "not all(call.epsilon for call in calls('f'))",
        "[call.line for call in calls('f') if call.line > 3] == [7]",
        "len({call.caller for call in calls('f')}) == 2",
        "1 < 2 < 3 != 4 and 'ex' in word and 9 not in [1, 2]",
        "(size + 4) * 2 // 8 % 5 - -1 == 5 and size / 64 == 0.5",
        "calls('f')[1].epsilon is None",
        "sorted([3, 1, 2]) == [1, 2, 3] and max(1, 2) == 2 and sum([1, 2]) == 3 and abs(-1) == 1",
        "all(a <= b for a in [1, 2] for b in [2, 3])",
    ],
)
def test_true_and_false(condition: str) -> None:
    assert evaluate_condition(condition, KNOWN) is True
    assert evaluate_condition(f"not ({condition})", KNOWN) is False


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("size ==", "not a valid Python expression"),
        ("import os", "not a valid Python expression"),
        ("size", "neither true nor false, but 32"),
        ("unknown == 1", "'unknown' is not defined; defined names are calls, params, size, word"),
        ("params['b1.g'].ndim == 1", "there is no 'b1.g'; there is b0.g"),
        ("word.upper() == 'TEXT'", "not allowed"),
        ("word.__class__ == 1", "is a part of a value that is not a fact"),
        ("calls.__globals__ == 1", "is a part of a value that is not a fact"),
        ("__import__('os') == 1", "'__import__' is not defined"),
        ("open('/etc/passwd') == 1", "'open' is not defined"),
        ("(lambda: 1)() == 1", "not allowed"),
        ("[x := 1] == [1]", "not allowed"),
        ("f'{word}' == 'text'", "not allowed"),
        ("sorted([1], key=abs) == [1]", "not allowed"),
        ("{1: 2} == {}", "not allowed"),
        ("2 ** 99999999 == 1", "not allowed"),
        ("'a' * 999999999 == 'a'", "must be numbers"),
        ("999999999 * 999999999 == 1", "too large"),
        ("[a for a, b in []] == []", "one plain name"),
        ("1 / 0 == 1", "ZeroDivisionError"),
        ("len(5) == 1", "TypeError"),
        ("+size == 32", "not allowed"),
        ("len([0 for a in L for b in L for c in L]) == 0", "too many steps"),
    ],
)
def test_what_is_refused(condition: str, message: str) -> None:
    known = {**KNOWN, "L": [0] * 99} if " L " in condition else KNOWN
    with pytest.raises(ConditionError) as caught:
        evaluate_condition(condition, known)
    assert message in str(caught.value)


@given(st.text(max_size=60))
def test_any_text_is_evaluated_or_refused(text: str) -> None:
    with contextlib.suppress(ConditionError):
        assert evaluate_condition(text, KNOWN) in (True, False)
