"""The lesson's figures and the exercises' solutions in Pyodide, where sums may run otherwise."""

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

RUN = """
import importlib, json, pkgutil
import exercises
from lessons.layer_norm import gradient_errors

names = [found.name for found in pkgutil.iter_modules(exercises.__path__)]
modules = [importlib.import_module(f"exercises.{name}") for name in names]
checked = [module for module in modules if hasattr(module, "check")]
json.dumps({
    "errors": gradient_errors(),
    "findings": {
        module.__name__: [finding.holds for finding in module.check(module)] for module in checked
    },
})
"""
ERRORS = {
    "dx": 2.824402011294511e-08,
    "dgamma": 1.757852155326469e-09,
    "dbeta": 3.4275647975734703e-10,
}


def test_figures_and_solutions(page: Page, address: str) -> None:
    page.goto(f"{address}index.html")
    answer = page.evaluate(
        """async ([runtime, code]) => {
          const { loadPyodide } = await import(`${runtime}pyodide.mjs`);
          const pyodide = await loadPyodide({ indexURL: runtime, packages: ["numpy"] });
          const sources = await (await fetch(`${runtime}sources.zip`)).arrayBuffer();
          pyodide.unpackArchive(sources, "zip", { extractDir: "/home/pyodide/site" });
          pyodide.runPython("import sys; sys.path.insert(0, '/home/pyodide/site')");
          return JSON.parse(pyodide.runPython(code));
        }""",
        [f"{address}runtime/", RUN],
    )
    assert answer["errors"] == pytest.approx(ERRORS, rel=0, abs=1e-12)
    assert len(answer["findings"]) == 6
    for name, holds in answer["findings"].items():
        assert len(holds) >= 4, name
        assert all(holds), name
