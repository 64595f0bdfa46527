"""An equation must be able to fail, and be about the line beside it."""

from functools import cache

import pytest

from eqcheck import (
    Sample,
    ValuePlace,
    breaks_when_moved,
    check_chain,
    parse,
    says_something,
    symbols_at,
)
from tests.eqcheck.layer_norm import EQUATIONS, SYMBOLS, samples, subject


@cache
def shared() -> tuple[Sample, ...]:
    return samples(count=4)


@pytest.mark.parametrize(
    "latex",
    [
        r"\mu_t = \mu_t",
        r"dX_{ti} = dX_{ti} + 0",
        r"dX_{ti} = 1 \cdot dX_{ti}",
        r"X_{ti} - X_{ti} = 0",
        r"\frac{\mu_t}{\mu_t} = 1",
        r"0 = 0",
        r"d = d",
        r"\frac{1}{d} \sum_i X_{ti} = \operatorname{mean}_i(X_{ti})",
        r"\sigma_t^2 \ge -1000",
        r"s_t \ge 0",
        r"X_{ti} \le X_{ti}",
        r"Y_{ti} = Y_{ti} + 0 \cdot \gamma_i",
        r"\sqrt{s_t s_t} = s_t",
        r"Y_{ti} = Y_{ti} + 10^{300} - 10^{300}",
        r"Y_{ti} = (10^{30} + Y_{ti}) - 10^{30}",
        r"0 = 10^{300} \mu_t - 10^{300} \mu_t",
    ],
)
def test_what_cannot_fail_says_nothing(latex: str) -> None:
    (chain,) = parse(latex, SYMBOLS)
    assert check_chain(chain, shared()).holds
    assert not says_something(chain, shared())


@pytest.mark.parametrize("name", EQUATIONS)
def test_the_equations_of_the_page_say_something(name: str) -> None:
    for chain in parse(EQUATIONS[name], SYMBOLS):
        assert says_something(chain, shared())


@pytest.mark.parametrize(
    ("latex", "symbol", "breaks"),
    [
        (EQUATIONS["mean"], r"\mu", True),
        (EQUATIONS["mean"], "X", True),
        (EQUATIONS["mean"], "s", False),
        (EQUATIONS["dgamma"], r"d\gamma", True),
        (EQUATIONS["step-mean"], r"\mu", True),  # by its derivative
        (EQUATIONS["step-inverse-deviation"], "s", True),
        (r"\sum_i dX_{ti} = 0", "dX", True),
        (r"s_t + 0 \cdot \mu_t = \frac{1}{\sqrt{\sigma_t^2 + \epsilon}}", r"\mu", False),
        (r"\operatorname{mean}_i(\hat{X}_{ti}) = 0", r"\hat{X}", True),
        (r"\min_i X_{ti} \le \mu_t", r"\mu", True),
    ],
)
def test_a_symbol_that_is_moved(latex: str, symbol: str, breaks: bool) -> None:  # noqa: FBT001 - a table
    (chain,) = parse(latex, SYMBOLS)
    assert check_chain(chain, shared()).holds
    assert breaks_when_moved(chain, symbol, shared()) is breaks


def test_the_symbols_that_a_line_computes() -> None:
    (chain,) = parse(EQUATIONS["variance"], SYMBOLS)
    page = subject()

    def found(function: str, name: str) -> frozenset[str]:
        return symbols_at(chain, page, ValuePlace(function=f"norm.{function}", name=name))

    assert found("forward", "var") == {r"\sigma^2"}
    assert found("forward", "mu") == {r"\mu"}
    assert found("forward", "s") == frozenset()  # on the page, and not in the equation
    assert found("backward", "mu") == frozenset()
