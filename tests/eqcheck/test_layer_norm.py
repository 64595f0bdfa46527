import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from eqcheck import EquationError, Sample, check, check_chain, observe_samples, parse
from eqcheck.inputs import Inputs
from tests.eqcheck.layer_norm import EQUATIONS, SOURCE, SYMBOLS, WORKED, samples, subject
from tests.eqcheck.mutate import Mutant, mutants

pytestmark = pytest.mark.slow

PAGE = Path("content/layer-norm.md")
DERIVED = {"step-mean", "step-variance", "step-inverse-deviation", "step-normalised"}


@cache
def shared() -> tuple[Sample, ...]:
    return samples()


@pytest.mark.parametrize("name", EQUATIONS)
def test_every_equation_of_the_page_holds(name: str) -> None:
    for verdict in check(EQUATIONS[name], SYMBOLS, shared()):
        assert verdict.holds, verdict
        assert verdict.inputs == 24
        assert verdict.largest_relative < 1e-15
        assert verdict.methods == ({"complex step"} if r"\partial" in EQUATIONS[name] else set())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_none_fails_on_other_inputs(seed: int) -> None:
    others = samples(seed=seed, count=15)
    for name, latex in EQUATIONS.items():
        verdicts = check(latex, SYMBOLS, others)
        assert all(verdict.holds for verdict in verdicts), name


def test_these_are_the_equations_of_the_page() -> None:
    blocks = re.findall(r":::\{(?:equation|step)\} ln-(\S+)\n(?::.*\n)*(.*)\n:::", PAGE.read_text())
    assert dict(blocks) == EQUATIONS


def test_the_matrix_of_the_derivation_comes_out_to_the_last_digits() -> None:
    derivative = shared()[0].views(["X"])[0].derivative(r"\hat{X}", "X").array[0, 0, :, 0, :]
    deviations = WORKED["X"][0] - 3.0
    s = 1 / np.sqrt(3.5 + 1e-5)
    xhat = deviations * s
    exact = s * (np.eye(4) - 0.25 - np.outer(xhat, xhat) / 4)
    assert np.abs(derivative - exact).max() < 1e-15
    reference = [
        [0.2482, -0.21, -0.1336, 0.0954],
        [-0.21, 0.3627, -0.1336, -0.0191],
        [-0.1336, -0.1336, 0.4009, -0.1336],
        [0.0954, -0.0191, -0.1336, 0.0573],
    ]
    assert derivative.round(4).tolist() == reference


# Σ_i (X_ti - μ_t) is 0, so a factor beside it may have any constant added to it that is the same
# for all i; and Σ_i (δ_ij - 1/d) is 0, so anything that is the same for all i may stand for μ_t.
EQUAL = {
    ("step-variance", "sign of -\\mu_{t}"),
    ("step-variance", "term -\\mu_{t} dropped"),
    ("step-variance", "\\sigma^2 for \\mu"),
    ("step-variance", "s for \\mu"),
    ("step-variance", "sign of -\\frac{1}{d}"),
    ("step-variance", "term -\\frac{1}{d} dropped"),
    ("step-variance", "denominator d dropped"),
    ("step-variance", "\\frac{1}{d} turned over"),
    ("step-variance", "1 becomes 2"),
    ("step-variance", "\\epsilon for d"),
    ("step-variance", "T for d"),
}


def survives(mutant: Mutant) -> bool:
    try:
        return all(check_chain(mutant.chain, [sample]).holds for sample in shared())
    except EquationError:
        return False


@pytest.mark.parametrize("name", EQUATIONS)
def test_every_mistake_is_caught(name: str) -> None:
    made = [item for chain in parse(EQUATIONS[name], SYMBOLS) for item in mutants(chain, SYMBOLS)]
    survivors = [(name, mutant.description) for mutant in made if survives(mutant)]
    assert len(made) >= 10
    assert sorted(survivors) == sorted(item for item in EQUAL if item[0] == name)


def test_every_kind_of_mistake_is_made() -> None:
    latex = r"\sigma_t^2 = \frac{1}{d} \sum_{i} \sqrt{X_{ti}^3} - \mu_t s_t"
    (chain,) = parse(latex, SYMBOLS)
    descriptions = {mutant.description for mutant in mutants(chain, SYMBOLS)}
    assert descriptions >= {
        "sign of -\\mu_{t} \\, s_{t}",
        "index i of X becomes t",
        "term -\\mu_{t} \\, s_{t} dropped",
        "factor \\mu_{t} dropped",
        "d - 1 for d",
        "power 3 dropped",
        "root of {X_{t i}}^{3} dropped",
        "s for \\mu",
        "mean for sum",
        "3 becomes 4",
    }


CODE = {  # each change of the code, and the equations that must then fail: no others may
    ("/ d\n    var", "/ (d - 1)\n    var"): {"mean", "step-mean", "step-variance"},
    (" ** 2", " ** 3"): {"variance", "step-variance", "step-inverse-deviation"},
    ("keepdims=True) / d\n    s", "keepdims=True) / (d + 1)\n    s"): {"variance"},
    ("var + epsilon", "var - epsilon"): {"inverse-deviation"},
    ("1.0 / np.sqrt(var", "1.0 / (var"): {"inverse-deviation"},
    ("(X - mu) * s", "(X + mu) * s"): {"normalised"},
    ("gamma * Xhat + beta", "gamma * Xhat - beta"): {"output", "parameters"},
    ("dXhat = dY * gamma", "dXhat = dY + gamma"): {"dxhat", "step-output"},
    ("- Xhat *", "+ Xhat *"): {"dx", "step-chain"},
    ("(dXhat * Xhat).mean", "(dXhat * Xhat).sum"): {"dx", "step-chain"},
    ("dgamma = (dY * Xhat)", "dgamma = (dY + Xhat)"): {"dgamma"},
    ("dbeta = dY.sum(axis=0)", "dbeta = dY.mean(axis=0)"): {"dbeta"},
}


@pytest.mark.parametrize("change", CODE, ids=" -> ".join)
def test_a_change_of_the_code_fails_the_equation_it_belongs_to(change: tuple[str, str]) -> None:
    assert SOURCE.count(change[0]) == 1
    changed = samples(SOURCE.replace(*change), count=3)
    failed = {
        name
        for name, latex in EQUATIONS.items()
        if not all(verdict.holds for verdict in check(latex, SYMBOLS, changed))
    }
    assert failed >= CODE[change]


REWRITES = [
    ("((X - mu) ** 2).sum(axis=-1, keepdims=True) / d", "X.var(axis=-1, keepdims=True)"),
    ("X.sum(axis=-1, keepdims=True) / d", "X.mean(-1, keepdims=True)"),
    ("(dY * Xhat).sum(axis=0)", "np.einsum('ti,ti->i', dY, Xhat)"),
    ("1.0 / np.sqrt(var + epsilon)", "(var + epsilon) ** -0.5"),
    ("(X - mu) * s", "X * s - mu * s"),
    ("gamma * Xhat + beta", "beta + Xhat * gamma"),
]


@pytest.mark.parametrize("rewrite", REWRITES, ids=" -> ".join)
def test_code_that_computes_the_same_passes(rewrite: tuple[str, str]) -> None:
    assert SOURCE.count(rewrite[0]) == 1
    changed = samples(SOURCE.replace(*rewrite), count=3)
    for latex in EQUATIONS.values():
        for verdict in check(latex, SYMBOLS, changed):
            assert verdict.holds, (latex, verdict)


def test_a_failing_verdict_names_the_place_and_both_numbers() -> None:
    (verdict,) = check(r"\mu_t = \frac{1}{d - 1} \sum_{i} X_{ti}", SYMBOLS, shared()[:1])
    assert not verdict.holds
    assert (verdict.left, verdict.right) == (3.0, 4.0)
    assert verdict.where == {"t": 0}
    assert verdict.largest_absolute == 1.0
    assert verdict.inputs == 1


def test_the_relation_that_fails_is_named() -> None:
    latex = r"\mu_t = \frac{1}{d} \sum_{i} X_{ti} = s_t = \frac{1}{\sqrt{\sigma_t^2 + \epsilon}}"
    (verdict,) = check(latex, SYMBOLS, shared()[:5])
    assert not verdict.holds
    assert verdict.relation == 1


def test_the_code_runs_for_all_equations_together() -> None:
    whole = subject()
    runs = []

    def counted(inputs: Inputs) -> None:
        runs.append(inputs)
        whole.run(inputs)

    observed = observe_samples(replace(whole, run=counted), SYMBOLS, [WORKED])
    assert len(runs) == 4  # and three more to measure rounding
    check(EQUATIONS["dx"], SYMBOLS, observed)
    assert len(runs) == 4
    check(EQUATIONS["step-variance"], SYMBOLS, observed)
    after = len(runs)
    assert after > 4
    check(EQUATIONS["step-mean"], SYMBOLS, observed)  # from the runs with other entries of X
    assert len(runs) < after + 4
