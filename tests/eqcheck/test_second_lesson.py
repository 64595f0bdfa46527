"""The equations of another lesson on layer norm, in its own names, over (B, T, C)."""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from eqcheck import (
    EquationError,
    Sample,
    Subject,
    ValuePlace,
    check,
    check_chain,
    declare,
    observe_samples,
    parse,
    random_inputs,
)
from eqcheck.inputs import hard_inputs
from tests.eqcheck.layer_norm import compiled
from tests.eqcheck.mutate import mutants

if TYPE_CHECKING:
    from eqcheck.inputs import Inputs

SOURCE = """
import numpy as np

def layernorm_forward(x, gamma, beta, eps=1e-5):
    mu = x.mean(axis=-1, keepdims=True)
    var = ((x - mu) ** 2).mean(axis=-1, keepdims=True)
    std = np.sqrt(var + eps)
    xhat = (x - mu) / std
    out = gamma * xhat + beta
    return out, (xhat, gamma, std)

def layernorm_backward(dout, cache):
    xhat, gamma, std = cache
    C = xhat.shape[-1]
    feat_axes = tuple(range(dout.ndim - 1))
    dgamma = np.sum(dout * xhat, axis=feat_axes)
    dbeta = np.sum(dout, axis=feat_axes)
    dxhat = dout * gamma
    dx = (1.0 / (C * std)) * (
        C * dxhat
        - dxhat.sum(axis=-1, keepdims=True)
        - xhat * (dxhat * xhat).sum(axis=-1, keepdims=True)
    )
    return dx, dgamma, dbeta
"""

LOSS = r"L = \sum \left( \text{dout} \odot \text{out} \right)"
DX = (
    r"\text{dx} = \frac{1}{C\,\text{std}}\left(C\,\text{dxhat} - \sum_k \text{dxhat}_k"
    r" - \hat x \sum_k \text{dxhat}_k \hat x_k\right)"
)
EQUATIONS = {
    "mean": r"\mu = \frac{1}{C} \sum_{i=1}^{C} x_i = \operatorname{mean}_i(x_i)",
    "var": r"\text{var} = \frac{1}{C} \sum_i (x_i - \mu)^2 = \operatorname{var}_i(x_i)",
    "std": r"\text{std} = \sqrt{\text{var} + \epsilon}",
    "xhat": r"\hat{x} = \frac{x - \mu}{\sqrt{\text{var} + \epsilon}}",
    "xhat-entry": r"\hat{x}_i = (x_i - \mu)/\sqrt{\text{var}+\epsilon}",
    "out": r"\text{out} = \gamma \odot \hat{x} + \beta",
    "upstream": r"\text{dout} = \frac{\partial L}{\partial \text{out}}",
    "dxhat": r"\frac{\partial L}{\partial \hat{x}_i} = \text{dout}_i \gamma_i = \text{dxhat}_i",
    "dgamma": (
        r"\frac{\partial L}{\partial \gamma_i} = \sum_b \sum_t \text{dout}_{bti} \hat{x}_{bti}"
        r" = \text{dgamma}_i"
    ),
    "dbeta": r"\text{dbeta}_i = \sum_{b,t} \text{dout}_{bti} = \frac{\partial L}{\partial \beta_i}",
    "dx": DX,
    "dx-derivative": DX + r" = \frac{\partial L}{\partial x}",
    "corrections": r"\sum_i \text{dx}_i = 0",
    "mean-is-zero": (
        r"\operatorname{mean}_i(\hat x_i) = 0, \quad \operatorname{std}_i(\hat x_i) < 1"
    ),
}
SYMBOLS = declare(
    {
        **dict.fromkeys([r"x", r"\hat{x}", r"\text{out}", r"\text{dout}"], ("B", "T", "C")),
        **dict.fromkeys([r"\text{dxhat}", r"\text{dx}"], ("B", "T", "C")),
        **dict.fromkeys([r"\mu", r"\text{var}", r"\text{std}"], ("B", "T")),
        **dict.fromkeys([r"\gamma", r"\beta", r"\text{dgamma}", r"\text{dbeta}"], ("C",)),
        r"\epsilon": (),
        "L": (),
    },
    batch=("B", "T"),
)
SHAPES = {"x": ("B", "T", "C"), "gamma": ("C",), "beta": ("C",), "dout": ("B", "T", "C")}


def subject() -> Subject:
    space = compiled(SOURCE)
    forward, backward = space["layernorm_forward"], space["layernorm_backward"]

    def run(inputs: "Inputs") -> None:
        _, cache = forward(inputs["x"], inputs["gamma"], inputs["beta"])
        backward(inputs["dout"], cache)

    def places(function: str, **names: str) -> dict[str, ValuePlace]:
        return {
            symbol: ValuePlace(function=f"norm.{function}", name=name)
            for name, symbol in names.items()
        }

    return Subject(
        run=run,
        functions=(forward, backward),
        places={
            **places("layernorm_forward", x="x", mu=r"\mu", var=r"\text{var}", std=r"\text{std}"),
            **places("layernorm_forward", xhat=r"\hat{x}", out=r"\text{out}", eps=r"\epsilon"),
            **places("layernorm_forward", gamma=r"\gamma", beta=r"\beta"),
            **places("layernorm_backward", dout=r"\text{dout}", dxhat=r"\text{dxhat}"),
            **places("layernorm_backward", dx=r"\text{dx}", dgamma=r"\text{dgamma}"),
            **places("layernorm_backward", dbeta=r"\text{dbeta}"),
        },
        inputs={"x": "x", r"\gamma": "gamma", r"\beta": "beta", r"\text{dout}": "dout"},
        definitions=(LOSS, *EQUATIONS.values()),
    )


@cache
def samples() -> tuple[Sample, ...]:
    hard = hard_inputs(SHAPES, "x", 0)
    many = [*random_inputs(SHAPES, 0, 8), hard["constant row"], hard["huge offset"]]
    return observe_samples(subject(), SYMBOLS, many)


@pytest.mark.parametrize("name", EQUATIONS)
def test_every_equation_holds(name: str) -> None:
    for verdict in check(EQUATIONS[name], SYMBOLS, samples()):
        assert verdict.holds, verdict


@pytest.mark.parametrize("name", sorted(set(EQUATIONS) - {"corrections", "mean-is-zero"}))
def test_every_mistake_is_caught(name: str) -> None:
    survivors = []
    for chain in parse(EQUATIONS[name], SYMBOLS):
        for mutant in mutants(chain, SYMBOLS):
            try:
                holds = all(check_chain(mutant.chain, [sample]).holds for sample in samples())
            except EquationError:
                continue
            if holds:
                survivors.append(mutant.description)
    assert survivors == []


def test_the_raw_input_comes_back_if_gamma_and_beta_undo_the_normalisation() -> None:
    x = np.random.default_rng(0).normal(1.5, 3.0, (1, 1, 8))
    gamma = np.full(8, np.sqrt(x.var() + 1e-5))
    inputs = {"x": x, "gamma": gamma, "beta": np.full(8, x.mean()), "dout": np.ones_like(x)}
    undone = observe_samples(subject(), SYMBOLS, [inputs])
    latex = r"\gamma_i = \sqrt{\text{var} + \epsilon}, \beta_i = \mu, \text{out} = x"
    with pytest.raises(EquationError, match="free indices"):
        check(latex, SYMBOLS, undone)  # gamma is the same for all tokens, var is not
    (verdict,) = check(r"\text{out} = x", SYMBOLS, undone)
    assert verdict.holds
    (verdict,) = check(r"\text{out} = x", SYMBOLS, samples())
    assert not verdict.holds
