"""No page is heavier than its budget, nor than any page may be."""

import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.weight import BUDGETS, CAP, budget_of, compressed, pages_of, weights

pytestmark = pytest.mark.browser


def test_no_page_grows_past_its_budget(browser: Browser, address: str, site_folder: Path) -> None:
    allowed = tomllib.loads(BUDGETS.read_text("utf-8"))
    pages = pages_of(site_folder)
    assert {*allowed} == {*map(budget_of, pages)}, "run `python -m tests.browser.weight`"
    too_heavy = []
    for path in pages:
        found = weights(browser, address, path)
        budget = allowed[budget_of(path)]
        size = sum(found.values())
        if size > min(budget, CAP):
            heaviest = sorted(found, key=found.__getitem__, reverse=True)[:5]
            parts = ", ".join(f"{name} {found[name]:,}" for name in heaviest)
            too_heavy.append(f"{path}: {size:,} bytes of {min(budget, CAP):,}: {parts} …")
    assert too_heavy == []


def test_a_first_visit_fetches_neither_python_nor_the_editor(
    browser: Browser, address: str
) -> None:
    found = weights(browser, address, "lesson.html")
    assert [name for name in found if name.startswith(("runtime/", "static/js/bundles/"))] == []


def test_a_page_fetches_the_scripts_of_its_own_parts_only(browser: Browser, address: str) -> None:
    fetched = {path: weights(browser, address, path) for path in ("layer-norm.html", "lesson.html")}
    editor = "static/js/cell/editable-code.js"
    assert editor in fetched["lesson.html"]
    assert editor not in fetched["layer-norm.html"]


def test_what_does_not_shrink_counts_as_it_is() -> None:
    assert compressed(b"a" * 1000) < 50
    assert compressed(bytes(range(256))) == 256
