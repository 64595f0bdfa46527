"""Wrong equations about the model are refused, and right ones accepted."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, cast

import numpy as np
import pytest

from eqcheck import (
    Comparison,
    EquationError,
    Sample,
    Subject,
    Symbols,
    ValuePlace,
    check,
    declare,
    declare_input,
    draw_inputs,
    observe_samples,
    parse,
    says_something,
)
from tests.eqcheck.layer_norm import compiled
from tinygpt import attention, ops

UNSTABLE = compiled("""
import numpy as np

def log_softmax(S):
    P = np.exp(S) / np.exp(S).sum(axis=-1, keepdims=True)
    return np.log(P)

def signed(x):
    return x * (-1.0) ** len(x) * (-1.0)

def powers(x, eps):
    return x / (x * x + eps)
""")


def cross_entropy(logits: Any, targets: Any) -> None:  # noqa: ANN401 - arrays
    ops.cross_entropy_forward(logits, targets)


CASES: dict[str, tuple[Callable[..., object], tuple[Any, ...], list[str], dict[str, Any]]] = {
    "loss": (
        cross_entropy,
        (ops.cross_entropy_forward,),
        ["logits (T, V)", "targets (T,) integer < V"],
        {
            r"\ell": (ops.cross_entropy_forward, "logits", ("T", "V")),
            "Z": (ops.cross_entropy_forward, "Z", ("T", "V")),
            "P": (ops.cross_entropy_forward, "return[1]", ("T", "V")),
            r"\log P": (ops.cross_entropy_forward, "log_P", ("T", "V")),
            "L": (ops.cross_entropy_forward, "return[0]", ()),
        },
    ),
    "attention": (
        attention.causal_attention_forward,
        (attention.causal_attention_forward, ops.softmax_forward),
        ["Q (H, T, k)", "K (H, T, k)", "V (H, T, k)"],
        {
            "Q": (attention.causal_attention_forward, "Q", ("H", "T", "k")),
            "K": (attention.causal_attention_forward, "K", ("H", "T", "k")),
            "S": (attention.causal_attention_forward, "S", ("H", "T", "T")),
            "M": (ops.softmax_forward, "S", ("H", "T", "T")),
            "A": (attention.causal_attention_forward, "A", ("H", "T", "T")),
        },
    ),
    "softmax": (
        ops.softmax_forward,
        (ops.softmax_forward,),
        ["S (T, n)"],
        {
            "S": (ops.softmax_forward, "S", ("T", "n")),
            "P": (ops.softmax_forward, "P", ("T", "n")),
        },
    ),
    "unstable": (
        UNSTABLE["log_softmax"],
        (UNSTABLE["log_softmax"],),
        ["S (T, n)"],
        {
            "S": (UNSTABLE["log_softmax"], "S", ("T", "n")),
            "N": (UNSTABLE["log_softmax"], "return", ("T", "n")),
        },
    ),
    "signed": (
        UNSTABLE["signed"],
        (UNSTABLE["signed"],),
        ["x (T,)"],
        {"x": (UNSTABLE["signed"], "x", ("T",)), "y": (UNSTABLE["signed"], "return", ("T",))},
    ),
    "powers": (
        UNSTABLE["powers"],
        (UNSTABLE["powers"],),
        ["x (n,)", "eps () positive = 1e-5"],
        {
            "x": (UNSTABLE["powers"], "x", ("n",)),
            r"\epsilon": (UNSTABLE["powers"], "eps", ()),
            "y": (UNSTABLE["powers"], "return", ("n",)),
        },
    ),
    "gelu": (
        ops.gelu_forward,
        (ops.gelu_forward,),
        ["X (T, d)"],
        {
            "X": (ops.gelu_forward, "X", ("T", "d")),
            "t": (ops.gelu_forward, "t", ("T", "d")),
            "Y": (ops.gelu_forward, "return[0]", ("T", "d")),
        },
    ),
}


@cache
def observed(case: str) -> tuple[Symbols, tuple[Sample, ...]]:
    program, functions, declarations, rows = CASES[case]
    sets = draw_inputs([declare_input(line) for line in declarations], count=6)

    def run(values: Mapping[str, object]) -> None:
        program(**values)

    places = {}
    for symbol, (function, text, _) in rows.items():
        name, _, index = text.partition("[")
        places[symbol] = ValuePlace(
            function=f"{function.__module__}.{function.__qualname__}",
            name=name,
            path=(int(index[:-1]),) if index else (),
        )
    subject = Subject(run=run, functions=functions, places=places, inputs={})
    symbols = declare(
        {symbol: cast("tuple[str, ...]", axes) for symbol, (*_, axes) in rows.items()}
    )
    return symbols, observe_samples(subject, symbols, sets)


def checked(case: str, latex: str) -> Comparison:
    symbols, samples = observed(case)
    (found,) = check(latex, symbols, samples)
    return found


LOG_SOFTMAX = (
    r"N_{ti} = S_{ti} - \max_j S_{tj}"
    r" - \log\left(\sum_j \exp(S_{tj} - \max_k S_{tk})\right)"
)
RIGHT = [
    ("loss", r"Z_{tv} = \ell_{tv} - \max_u \ell_{tu}"),
    ("loss", r"P_{tv} = \operatorname{softmax}_v(\ell_{tv})"),
    ("loss", r"\log P_{tv} = Z_{tv} - \log \left(\sum_u \exp(Z_{tu})\right)"),
    ("loss", r"P_{tv} = \frac{\exp(Z_{tv})}{\sum_u \exp(Z_{tu})}"),
    ("loss", r"\sum_v P_{tv} = 1"),
    ("attention", r"S_{hij} = \frac{1}{\sqrt{k}} \sum_c Q_{hic} K_{hjc}"),
    ("attention", r"M_{hij} = \begin{cases} S_{hij} & j \le i \\ -\infty & j > i \end{cases}"),
    ("attention", r"A_{hij} = \operatorname{softmax}_j(M_{hij})"),
    ("attention", r"A_{hij} = \operatorname{softmax}_j(S_{hij} + \log([j \le i]))"),
    ("softmax", r"P_{ti} = \operatorname{softmax}_i(S_{ti})"),
    ("powers", r"y_i = \frac{x_i}{x_i^2 + \epsilon}"),
    ("gelu", r"Y_{ni} = \frac{1}{2} X_{ni} (1 + t_{ni})"),
    ("gelu", r"t_{ni} = \tanh\left(\sqrt{\frac{2}{\pi}} (X_{ni} + 0.044715 X_{ni}^3)\right)"),
]
WRONG = [
    ("loss", r"Z_{tv} = \exp(1000)"),
    ("loss", r"L = \frac{1}{0}"),
    ("loss", r"Z_{tv} = Z_{tv} + \infty"),
    ("loss", r"Z_{tv} = \ell_{tv} - \min_u \ell_{tu}"),
    ("loss", r"Z_{tv} = \ell_{tv}"),
    ("loss", r"\log P_{tv} = Z_{tv} - \sum_u Z_{tu}"),
    ("loss", r"P_{tv} = \frac{1}{V}"),
    ("loss", r"L = 0"),
    ("loss", r"L = \frac{1}{\exp(1000)}"),
    ("loss", r"L = \frac{1}{\frac{1}{0}}"),
    ("loss", r"L = \log(1 + \exp(-1000))"),
    ("attention", r"S_{hij} = S_{hij} + \log([j \le i])"),
    ("attention", r"M_{hij} = \begin{cases} S_{hij} & j < i \\ -\infty & j \ge i \end{cases}"),
    ("attention", r"M_{hij} = \begin{cases} S_{hij} & j \le i \\ \infty & j > i \end{cases}"),
    ("attention", r"M_{hij} = S_{hij}"),
    ("attention", r"A_{hij} = \operatorname{softmax}_j(S_{hij})"),
    ("attention", r"S_{hij} = \frac{1}{\sqrt{2}} \sum_c Q_{hic} K_{hjc}"),
    ("softmax", r"P_{ti} = \operatorname{softmax}_t(S_{ti})"),
    ("unstable", LOG_SOFTMAX),
    ("signed", r"y_t = x_t"),
    ("signed", r"y_t = -x_t"),
    ("powers", r"y_i = \frac{x_i}{x_i^2 + 10^{-5}}"),
    ("powers", r"y_i = \frac{1}{x_i}"),
    ("gelu", r"t_{ni} = \tanh(X_{ni})"),
    ("gelu", r"Y_{ni} = X_{ni}"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "latex"), RIGHT)
def test_right_equations_are_accepted(case: str, latex: str) -> None:
    found = checked(case, latex)
    assert found.holds, found
    symbols, samples = observed(case)
    (chain,) = parse(latex, symbols)
    assert says_something(chain, samples)


@pytest.mark.parametrize(("case", "latex"), WRONG)
def test_wrong_equations_are_refused(case: str, latex: str) -> None:
    try:
        found = checked(case, latex)
    except EquationError:
        pytest.fail("it is refused for another reason")
    assert not found.holds
    assert found.reason


def test_a_softmax_without_its_maximum_is_remarked_and_checked_elsewhere() -> None:
    latex = r"P_{ti} = \frac{\exp(S_{ti})}{\sum_j \exp(S_{tj})}"
    found = checked("softmax", latex)
    assert found.holds
    assert {remark.occasion.hard for remark in found.remarks} == {True}
    assert any("a huge offset in S" in remark.occasion.input for remark in found.remarks)
    assert all("the formula overflows" in remark.reason for remark in found.remarks)
    assert found.inputs >= 8
    assert not checked("softmax", latex.replace(r"\sum_j", r"2 \sum_j")).holds


def test_an_unstable_program_is_blamed_where_it_breaks() -> None:
    found = checked("unstable", LOG_SOFTMAX)
    assert found.occasion.hard
    assert "infinity" in found.reason or "NaN" in found.reason


def test_the_message_has_the_index_and_both_numbers() -> None:
    found = checked("loss", r"Z_{tv} = \ell_{tv}")
    assert found.occasion.input == "random input 1"
    assert set(found.where) == {"t", "v"}
    assert np.isfinite([found.left, found.right]).all()
    assert found.left != found.right
