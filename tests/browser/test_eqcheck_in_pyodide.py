"""eqcheck runs inside Pyodide as it does in the build."""

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

CHECK = r"""
import numpy as np
from eqcheck import ValuePlace, Subject, check, declare, observe_samples, random_inputs
from lessons.layer_norm_row import forward_and_backward
from tinygpt.ops import layer_norm_forward

F = "tinygpt.ops.layer_norm_forward"
symbols = declare({
    "X": ("T", "d"), r"\mu": ("T",), r"\sigma^2": ("T",), "s": ("T",), r"\epsilon": (),
})
subject = Subject(
    run=lambda inputs: forward_and_backward(**inputs),
    functions=(layer_norm_forward,),
    places={
        "X": ValuePlace(function=F, name="X"), r"\mu": ValuePlace(function=F, name="mu"),
        r"\sigma^2": ValuePlace(function=F, name="var"), "s": ValuePlace(function=F, name="s"),
        r"\epsilon": ValuePlace(function=F, name="epsilon"),
    },
    inputs={"X": "X"},
)
shapes = {"X": ("T", "d"), "gamma": ("d",), "beta": ("d",), "dY": ("T", "d")}
samples = observe_samples(subject, symbols, random_inputs(shapes, 0, 5))
equations = [
    r"\sigma_t^2 = \frac{1}{d} \sum_{i} \left(X_{ti} - \mu_t\right)^2",
    r"\sigma_t^2 = \frac{1}{d - 1} \sum_{i} \left(X_{ti} - \mu_t\right)^2",
    r"\frac{\partial s_t}{\partial X_{tj}} = -\frac{1}{d}\, s_t^3 \left(X_{tj} - \mu_t\right)",
]
[[verdict.holds for verdict in check(latex, symbols, samples)] for latex in equations]
"""


def test_equations_hold_and_fail_there_too(page: Page, address: str) -> None:
    page.goto(f"{address}index.html")
    answer = page.evaluate(
        """async ([runtime, code]) => {
          const { loadPyodide } = await import(`${runtime}pyodide.mjs`);
          const pyodide = await loadPyodide({ indexURL: runtime, packages: ["numpy"] });
          const sources = await (await fetch(`${runtime}sources.zip`)).arrayBuffer();
          pyodide.unpackArchive(sources, "zip", { extractDir: "/home/pyodide/site" });
          pyodide.runPython("import sys; sys.path.insert(0, '/home/pyodide/site')");
          return pyodide.runPython(code).toJs();
        }""",
        [f"{address}runtime/", CHECK],
    )
    assert answer == [[True], [False], [True]]
