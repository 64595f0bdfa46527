"""A layer norm, the equations about it, and how to check the ones against the other."""

import linecache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from eqcheck import (
    Sample,
    Subject,
    ValuePlace,
    declare,
    hard_inputs,
    observe_samples,
    random_inputs,
)
from eqcheck.inputs import Inputs

if TYPE_CHECKING:
    from types import FunctionType

SOURCE = """
import numpy as np

def forward(X, gamma, beta, epsilon=1e-5):
    d = X.shape[-1]
    mu = X.sum(axis=-1, keepdims=True) / d
    var = ((X - mu) ** 2).sum(axis=-1, keepdims=True) / d
    s = 1.0 / np.sqrt(var + epsilon)
    Xhat = (X - mu) * s
    return gamma * Xhat + beta, (Xhat, s)

def backward(dY, cache, gamma):
    Xhat, s = cache
    dXhat = dY * gamma
    dX = s * (dXhat - dXhat.mean(axis=-1, keepdims=True)
              - Xhat * (dXhat * Xhat).mean(axis=-1, keepdims=True))
    dgamma = (dY * Xhat).sum(axis=0)
    dbeta = dY.sum(axis=0)
    return dX, dgamma, dbeta
"""

EQUATIONS = {
    "mean": r"\mu_t = \frac{1}{d} \sum_{i} X_{ti}",
    "variance": r"\sigma_t^2 = \frac{1}{d} \sum_{i} \left(X_{ti} - \mu_t\right)^2",
    "inverse-deviation": r"s_t = \frac{1}{\sqrt{\sigma_t^2 + \epsilon}}",
    "normalised": r"\hat{X}_{ti} = \left(X_{ti} - \mu_t\right) s_t",
    "output": r"Y_{ti} = \gamma_i \hat{X}_{ti} + \beta_i",
    "dxhat": r"d\hat{X}_{ti} = dY_{ti}\, \gamma_i",
    "dx": (
        r"dX_{tj} = s_t \left( d\hat{X}_{tj} - \operatorname{mean}_i\!\left(d\hat{X}_{ti}\right)"
        r" - \hat{X}_{tj}\, \operatorname{mean}_i\!\left(d\hat{X}_{ti} \hat{X}_{ti}\right) \right)"
    ),
    "dgamma": r"d\gamma_i = \sum_{t} dY_{ti}\, \hat{X}_{ti}",
    "dbeta": r"d\beta_i = \sum_{t} dY_{ti}",
    "step-output": (
        r"\frac{\partial L}{\partial \hat{X}_{ti}} = \frac{\partial L}{\partial Y_{ti}}\, "
        r"\frac{\partial Y_{ti}}{\partial \hat{X}_{ti}} = dY_{ti}\, \gamma_i = d\hat{X}_{ti}"
    ),
    "step-mean": r"\frac{\partial \mu_t}{\partial X_{tj}} = \frac{1}{d}",
    "step-variance": (
        r"\frac{\partial \sigma_t^2}{\partial X_{tj}} = \frac{2}{d} \sum_{i} \left(X_{ti} - "
        r"\mu_t\right)\left(\delta_{ij} - \frac{1}{d}\right) = "
        r"\frac{2}{d}\left(X_{tj} - \mu_t\right)"
    ),
    "step-inverse-deviation": (
        r"\frac{\partial s_t}{\partial X_{tj}} = -\frac{1}{2}\left(\sigma_t^2 + \epsilon"
        r"\right)^{-3/2} \frac{2}{d}\left(X_{tj} - \mu_t\right) = -\frac{1}{d}\, s_t^3 "
        r"\left(X_{tj} - \mu_t\right)"
    ),
    "step-normalised": (
        r"\frac{\partial \hat{X}_{ti}}{\partial X_{tj}} = s_t\left(\delta_{ij} - \frac{1}{d}\right)"
        r" + \left(X_{ti} - \mu_t\right)\frac{\partial s_t}{\partial X_{tj}} = s_t\left("
        r"\delta_{ij} - \frac{1}{d} - \frac{1}{d}\,\hat{X}_{ti}\hat{X}_{tj}\right)"
    ),
    "step-chain": (
        r"dX_{tj} = \sum_{i} d\hat{X}_{ti}\, \frac{\partial \hat{X}_{ti}}{\partial X_{tj}} = s_t "
        r"\left( d\hat{X}_{tj} - \frac{1}{d}\sum_{i} d\hat{X}_{ti} - \hat{X}_{tj}\, \frac{1}{d}"
        r"\sum_{i} d\hat{X}_{ti}\hat{X}_{ti} \right)"
    ),
    "parameters": (
        r"\frac{\partial Y_{ti}}{\partial \gamma_i} = \hat{X}_{ti},\quad "
        r"\frac{\partial Y_{ti}}{\partial \beta_i} = 1"
    ),
}
LOSS = r"L = \sum_{t} \sum_{i} dY_{ti} Y_{ti}"

SYMBOLS = declare(
    {
        "X": ("T", "d"), "Y": ("T", "d"), "dY": ("T", "d"), "dX": ("T", "d"),
        r"\hat{X}": ("T", "d"), r"d\hat{X}": ("T", "d"),
        r"\gamma": ("d",), r"\beta": ("d",), r"d\gamma": ("d",), r"d\beta": ("d",),
        r"\mu": ("T",), r"\sigma^2": ("T",), "s": ("T",), r"\epsilon": (), "d": (), "L": (),
    }
)  # fmt: skip
SHAPES = {"X": ("T", "d"), "gamma": ("d",), "beta": ("d",), "dY": ("T", "d")}
WORKED: dict[str, NDArray[np.float64]] = {
    "X": np.array([[1.0, 2.0, 3.0, 6.0]]),
    "gamma": np.array([1.0, 1.0, 1.0, 2.0]),
    "beta": np.array([0.0, 0.0, 0.0, 1.0]),
    "dY": np.array([[1.0, 0.0, 0.0, 1.0]]),
}


def compiled(source: str) -> dict[str, Any]:
    """Run source whose functions can be observed, though no file has them."""
    name = f"<layer norm {hash(source)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    space: dict[str, Any] = {"__name__": "norm"}
    exec(compile(source, name, "exec"), space)  # noqa: S102 - it stands above
    return space


def subject(source: str = SOURCE) -> Subject:
    space = compiled(source)
    forward: FunctionType = space["forward"]
    backward: FunctionType = space["backward"]

    def run(inputs: Inputs) -> None:
        _, cache = forward(inputs["X"], inputs["gamma"], inputs["beta"])
        backward(inputs["dY"], cache, inputs["gamma"])

    def place(function: str, name: str, *path: int) -> ValuePlace:
        return ValuePlace(function=f"norm.{function}", name=name, path=path)

    return Subject(
        run=run,
        functions=(forward, backward),
        places={
            **{f"\\{name}": place("forward", name) for name in ("gamma", "beta", "epsilon", "mu")},
            **{name: place("forward", name) for name in ("X", "d", "s")},
            r"\sigma^2": place("forward", "var"),
            r"\hat{X}": place("forward", "Xhat"),
            "Y": place("forward", "return", 0),
            "dY": place("backward", "dY"),
            "dX": place("backward", "dX"),
            r"d\hat{X}": place("backward", "dXhat"),
            r"d\gamma": place("backward", "dgamma"),
            r"d\beta": place("backward", "return", 2),
        },
        inputs={"X": "X", r"\gamma": "gamma", r"\beta": "beta", "dY": "dY"},
        definitions=(LOSS, *EQUATIONS.values()),
    )


def samples(source: str = SOURCE, seed: int = 0, count: int = 20) -> tuple[Sample, ...]:
    hard = hard_inputs(SHAPES, "X", seed).values()
    many = [WORKED, *random_inputs(SHAPES, seed, count), *hard]
    return observe_samples(subject(source), SYMBOLS, many)
