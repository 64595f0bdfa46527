"""Each worked solution passes its check; each plausible mistake fails with its property named."""

import __future__

import inspect
import textwrap
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from exercises import (
    any_size,
    break_on_purpose,
    epsilon_gradient,
    fused_backward,
    rms_norm,
    sums_to_zero,
)
from exercises.finding import Finding, close
from tinygpt.arrays import Array

EXERCISES = [
    any_size,
    break_on_purpose,
    epsilon_gradient,
    fused_backward,
    rms_norm,
    sums_to_zero,
]


def solution(exercise: ModuleType) -> str:
    """The source of the exercise's functions, without its check and what belongs to that."""
    functions = inspect.getmembers(exercise, inspect.isfunction)
    own = [f for name, f in functions if f.__module__ == exercise.__name__ and name[0] != "_"]
    return "\n".join(inspect.getsource(f) for f in own if f is not exercise.check)


def answer(source: str) -> SimpleNamespace:
    """What a reader's cell leaves after it ran."""
    space: dict[str, object] = {"np": np}
    flags = __future__.annotations.compiler_flag
    exec(compile(textwrap.dedent(source), "<answer>", "exec", flags), space)  # noqa: S102
    return SimpleNamespace(**space)


def failures(exercise: ModuleType, given: SimpleNamespace | ModuleType) -> list[Finding]:
    return [finding for finding in exercise.check(given) if not finding.holds]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_solution_passes(exercise: ModuleType) -> None:
    findings = list(exercise.check(answer(solution(exercise))))
    assert len(findings) >= 4
    assert [finding for finding in findings if not finding.holds] == []


@pytest.mark.parametrize(
    ("exercise", "right", "wrong", "named"),
    [
        (sums_to_zero, "dx.sum(axis=-1)", "dx.sum(axis=1)", "the sum of dx over each token"),
        (sums_to_zero, "dx.sum(axis=-1)", "dx.sum(axis=-1, keepdims=True)",
         "the sum of dx over each token"),
        (sums_to_zero, "dx.sum(axis=-1)", "np.zeros(dx.shape[:-1])",
         "the sum of dx over each token"),
        (sums_to_zero, "dx.sum(axis=-1)", "dx.mean(axis=-1)", "the sum of dx over each token"),
        (sums_to_zero, "(dx * xhat).sum(axis=-1)", "dx.sum(axis=-1) * xhat.sum(axis=-1)",
         "the sum of dx * xhat over each token"),
        (sums_to_zero, "(dx * xhat).sum(axis=-1)", "(dx * xhat).sum()",
         "the sum of dx * xhat over each token"),
        (sums_to_zero, ", (dx * xhat).sum(axis=-1)", "", "what token_sums returns"),
        (break_on_purpose, "- dxhat.sum(axis=-1, keepdims=True)",
         "- xhat * (dxhat * xhat).sum(axis=-1, keepdims=True)",
         "dx without the variance correction"),
        (break_on_purpose, " - dxhat.sum(axis=-1, keepdims=True)", "",
         "dx without the variance correction"),
        (break_on_purpose, "C * dxhat", "dxhat", "dx without the variance correction"),
        (break_on_purpose, "1.0 / (C * std)", "1.0 / std", "dx without the variance correction"),
        (break_on_purpose, "- dxhat.sum(axis=-1, keepdims=True)",
         "- dxhat.sum(axis=-1, keepdims=True) - xhat * (dxhat * xhat).sum(axis=-1, keepdims=True)",
         "dx without the variance correction"),
        (break_on_purpose, "(dout * xhat).sum", "dout.sum", "dgamma"),
        (break_on_purpose, "range(dout.ndim - 1)", "range(dout.ndim - 2)", "dgamma"),
        (break_on_purpose, "return dx, dgamma, dbeta", "return dx", "what broken_backward returns"),
        (any_size, "axis=-1", "axis=2", "normalise runs"),
        (any_size, "axis=-1", "axis=(1, 2)", "each token has mean 0"),
        (any_size, "axis=-1", "axis=0", "each token has deviation 1"),
        (any_size, "x.var(axis=-1", "x.var(ddof=1, axis=-1", "each token has deviation 1"),
        (any_size, "np.sqrt(x.var(axis=-1, keepdims=True) + eps)",
         "x.std(axis=-1, keepdims=True)", "a token of equal numbers becomes zeros"),
        (any_size, "x.mean(axis=-1, keepdims=True)", "0.0",
         "a token of equal numbers becomes zeros"),
        (any_size, "np.sqrt(x.var(axis=-1, keepdims=True) + eps)",
         "x.var(axis=-1, keepdims=True) + eps", "each token has deviation 1"),
        (any_size, "np.sqrt(x.var(axis=-1, keepdims=True) + eps)",
         "x.std(axis=-1, keepdims=True) + eps", "xhat"),
        (fused_backward, "dgamma += dout * xhat", "dgamma = dgamma + dout * xhat",
         "dgamma takes in a token"),
        (fused_backward, "dbeta += dout", "dbeta[:] = dout", "dbeta after all tokens"),
        (fused_backward, "dgamma += dout * xhat", "dgamma += dout", "dgamma takes in a token"),
        (fused_backward, "dxhat.mean()", "0.0", "dx of one token"),
        (fused_backward, "xhat * (dxhat * xhat).mean()", "(dxhat * xhat).mean()",
         "dx of one token"),
        (fused_backward, "dxhat = dout * gamma", "dxhat = dout", "dx of one token"),
        (fused_backward, "return dx", "return", "dx of one token"),
        (epsilon_gradient, "-0.5", "0.5", "deps"),
        (epsilon_gradient, "-0.5 * ", "-", "deps"),
        (epsilon_gradient, "std**2", "std", "deps"),
        (epsilon_gradient, "std**2", "std**3", "deps"),
        (epsilon_gradient, "dout * gamma", "dout", "deps"),
        (epsilon_gradient, "float(-0.5 * (dxhat * xhat / std**2).sum())",
         "-0.5 * (dxhat * xhat / std**2).sum(axis=-1)", "deps"),
        (rms_norm, "(x * x).mean(axis=-1, keepdims=True)", "x.var(axis=-1, keepdims=True)", "out"),
        (rms_norm, "xhat = x / rms", "xhat = (x - x.mean(axis=-1, keepdims=True)) / rms", "out"),
        (rms_norm, "return gamma * xhat, ", "return xhat, ", "out"),
        (rms_norm, "+ eps)", ")", "a token of zeros stays zeros"),
        (rms_norm, "dxhat - xhat", "dxhat - dxhat.mean(axis=-1, keepdims=True) - xhat", "dx"),
        (rms_norm, " - xhat * (dxhat * xhat).mean(axis=-1, keepdims=True)", "", "dx"),
        (rms_norm, "(dxhat * xhat).mean", "(dxhat * xhat).sum", "dx"),
        (rms_norm, "(dout * xhat).sum", "dout.sum", "dgamma"),
        (rms_norm, "axis=tuple(range(dout.ndim - 1))", "axis=0", "dgamma"),
        (rms_norm, "    dgamma = ", "    gamma /= 2\n    dgamma = ", "dx"),
    ],
)  # fmt: skip
def test_a_mistake_is_named(exercise: ModuleType, right: str, wrong: str, named: str) -> None:
    source = solution(exercise)
    assert right in source
    first, *_ = failures(exercise, answer(source.replace(right, wrong)))
    assert first.property == named
    assert first.got
    assert first.expected


@pytest.mark.parametrize("exercise", EXERCISES)
@pytest.mark.parametrize(
    "body",
    [
        "raise ValueError('no')",
        "raise SystemExit",
        "return None",
        "return 'text'",
        "return [[1.0], [1.0, 2.0]]",
        "return 1j, 1j",
        "return np.nan, np.nan",
        "return np.nan, np.nan, np.nan",
        "return np.nan",
        "return {}, {}",
        "return lambda: 1",
        "return undefined(*inputs)",
        "inputs[0][:] = np.nan; return inputs[0]",
    ],
)
def test_nothing_that_an_answer_does_stops_the_check(exercise: ModuleType, body: str) -> None:
    defined = vars(answer(solution(exercise))).items()
    names = [name for name, value in defined if inspect.isfunction(value)]
    given = answer("\n".join(f"def {name}(*inputs, **named):\n    {body}" for name in names))
    found = failures(exercise, given)
    assert found
    assert all(finding.property and finding.expected and finding.got for finding in found)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_an_answer_without_the_function(exercise: ModuleType) -> None:
    (finding,) = failures(exercise, SimpleNamespace())
    assert finding.property.endswith(" runs")
    assert finding.got == "nothing of that name"


def test_an_error_is_placed_in_the_readers_code() -> None:
    source = "def normalise(x):\n    return helper(x)\n\ndef helper(x):\n    return x.nope\n"
    (finding,) = failures(any_size, answer(source))
    assert finding.where == "line 5 of your code"
    assert finding.got == "AttributeError: 'numpy.ndarray' object has no attribute 'nope'"


def test_the_worst_entry_is_told() -> None:
    def token_sums(dx: Array, xhat: Array) -> tuple[Array, Array]:
        of_dx, of_dx_xhat = sums_to_zero.token_sums(dx, xhat)
        of_dx[2, 4] += 1.0
        of_dx[1, 3] += 8.0
        return of_dx, of_dx_xhat

    first, *_ = failures(sums_to_zero, SimpleNamespace(token_sums=token_sums))
    assert first.where == "two arrays that belong to no layer norm, entry [1, 3]"
    assert float(first.got) - float(first.expected) == pytest.approx(8.0, abs=1e-4)


def test_two_numbers_that_differ_look_different() -> None:
    finding = close("x", 1.0 + 1e-8, 1.0)
    assert (finding.expected, finding.got) == ("1", "1.00000001")


def test_what_an_answer_returned_is_described() -> None:
    findings = [close("x", got, np.zeros((2, 3))) for got in (None, "no", np.zeros((2, 3, 1)), 1.0)]
    assert [finding.got for finding in findings] == [
        "nothing (None)",
        "a str",
        "an array of shape (2, 3, 1)",
        "one number",
    ]
    assert [finding.hint.partition(" ")[0] for finding in findings] == ["Does", "", "An", "A"]
