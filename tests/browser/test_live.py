"""The examples run the real functions in the real Pyodide."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.example_page import (
    BACKWARD,
    CHECK,
    DERIVATION,
    FORWARD,
    START,
    ExamplePage,
    assert_shown,
)
from tinygpt.ops import layer_norm_backward, layer_norm_forward

pytestmark = pytest.mark.browser


def test_python_starts_on_intent_and_not_before(page: Page, address: str) -> None:
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(f"{address}layer-norm.html")
    page.wait_for_load_state("networkidle")
    assert not [url for url in requested if "runtime" in url]
    assert all(url.startswith(address) for url in requested)
    example = ExamplePage(page)
    expect(example.example(FORWARD)).to_have_attribute("data-state", "idle")
    example.start()
    assert [url for url in requested if "pyodide.asm.wasm" in url]
    assert all(url.startswith((address, "blob:")) for url in requested)


def test_a_focus_that_came_before_the_script_starts_python_too(page: Page, address: str) -> None:
    held: list[Route] = []
    page.route("**/live-example.js", lambda route: held.append(route))  # noqa: PLW0108 - no builtin
    page.goto(f"{address}layer-norm.html")
    example = ExamplePage(page)
    with page.expect_request("**/sources.zip"):
        example.cell(FORWARD, "X", 0).focus()
        assert len(held) == 1
        held[0].continue_()


def test_the_browser_agrees_with_the_build(started: ExamplePage, example: ExamplePage) -> None:
    recorded = example.page.locator(".results").all_text_contents()
    status = started.status(FORWARD).inner_text()
    assert "Python 3.12.7, NumPy 2.0.2" in status
    assert f"NumPy {np.__version__}" in status
    if "to the last digit" not in status:
        difference = float(status.rpartition("at most ")[2].rstrip("."))
        assert 0 < difference < 1e-9
        return
    assert started.page.locator(".results").all_text_contents() == recorded


def test_the_figures_of_the_worked_example(started: ExamplePage) -> None:
    for name, label, shown in (
        (FORWARD, "Mean", ["3"]),
        (FORWARD, "Variance", ["3.5"]),
        (FORWARD, "Inverse standard deviation", ["0.5345"]),
        (FORWARD, "Normalised row", ["-1.069", "-0.5345", "0", "1.6036"]),
        (FORWARD, "Output", ["-1.069", "-0.5345", "0", "4.2071"]),
        (BACKWARD, "Gradient on the normalised row", ["1", "0", "0", "2"]),
        (BACKWARD, "First mean", ["0.75"]),
        (BACKWARD, "Second mean", ["0.5345"]),
        (BACKWARD, "Gradient on the input", ["0.4391", "-0.2482", "-0.4009", "0.21"]),
        (BACKWARD, "Gradient on the scale", ["-1.069", "0", "0", "1.6036"]),
        (BACKWARD, "Gradient on the shift", ["1", "0", "0", "1"]),
    ):
        assert started.numbers(name, label) == shown, label
    matrix = started.numbers(DERIVATION, "Step 5, the matrix")
    assert matrix == started.numbers(DERIVATION, "The same by central differences")
    assert " ".join(matrix) == (
        "0.2482 -0.21 -0.1336 0.0954 -0.21 0.3627 -0.1336 -0.0191 "
        "-0.1336 -0.1336 0.4009 -0.1336 0.0954 -0.0191 -0.1336 0.0573"
    )
    worked = started.row(BACKWARD, "One entry by hand").locator(".worked").text_content()
    assert worked == "dX[0][0] = 0.5345 × (1 − 0.75 − (-1.069) × 0.5345) ≈ 0.4391"


def test_one_edit_updates_everything(started: ExamplePage) -> None:
    started.cell(FORWARD, "X", 3).fill("-4.5")
    started.cell(FORWARD, "gamma", 0).fill("0.3")
    started.cell(FORWARD, "beta", 1).fill("7")
    started.cell(BACKWARD, "dY", 2).fill("2")
    started.wait_until_ready()

    X = np.array([[1.0, 2.0, 3.0, -4.5]])
    gamma, beta = np.array([0.3, 1.0, 1.0, 2.0]), np.array([0.0, 7.0, 0.0, 1.0])
    dY = np.array([[1.0, 0.0, 2.0, 1.0]])
    Y, (Xhat, s) = layer_norm_forward(X, gamma, beta)
    dX, dgamma, dbeta = layer_norm_backward(dY, (Xhat, s), gamma)
    assert_shown(started.numbers(FORWARD, "Mean"), X.mean(axis=1))
    assert_shown(started.numbers(FORWARD, "Variance"), X.var(axis=1))
    assert_shown(started.numbers(FORWARD, "Inverse standard deviation"), s)
    assert_shown(started.numbers(FORWARD, "Normalised row"), Xhat)
    assert_shown(started.numbers(FORWARD, "Output"), Y)
    for label, gradient, row in (
        ("Gradient on the input", dX, "dX"),
        ("Gradient on the scale", dgamma, "dgamma"),
        ("Gradient on the shift", dbeta, "dbeta"),
    ):
        assert_shown(started.numbers(BACKWARD, label), gradient)
        assert_shown(started.numbers(CHECK, row, column=0), gradient)
        assert_shown(started.numbers(CHECK, row, column=1), gradient)
        assert 0 < float(started.numbers(CHECK, row, column=2)[0]) < 1e-8
    matrix = s * (np.eye(4) - 1 / 4 - Xhat.T @ Xhat / 4)
    assert_shown(started.numbers(DERIVATION, "Step 5, the matrix"), matrix)
    assert_shown(started.numbers(DERIVATION, "The real backward function"), dX)
    worked = started.row(BACKWARD, "One entry by hand").locator(".worked").text_content() or ""
    assert worked.endswith(f"≈ {round(float(dX[0, 0]), 4)}")
    assert started.inputs(BACKWARD, "X") == ["1", "2", "3", "-4.5"]


def test_values_are_observed_in_the_running_function(
    page: Page, address: str, site_folder: Path
) -> None:
    """With another ops.py in the pack the page shows what that one computes."""

    def other_sources(route: Route) -> None:
        packed = io.BytesIO()
        with (
            zipfile.ZipFile(site_folder / "runtime" / "sources.zip") as old,
            zipfile.ZipFile(packed, "w") as new,
        ):
            for name in old.namelist():
                text = old.read(name).decode()
                if name == "tinygpt/ops.py":
                    biased = "** 2).sum(axis=-1, keepdims=True) / d\n"
                    assert biased in text
                    text = text.replace(biased, biased.replace("/ d", "/ (d - 1)"))
                new.writestr(name, text)
        route.fulfill(body=packed.getvalue(), content_type="application/zip")

    page.route("**/sources.zip", other_sources)
    page.goto(f"{address}layer-norm.html")
    example = ExamplePage(page)
    example.start()
    example.button(FORWARD, "Reset").click()
    example.wait_until_ready()
    assert_shown(example.numbers(FORWARD, "Variance"), np.array([14 / 3]))
    assert "differs from the build" in example.status(FORWARD).inner_text()


def test_presets_and_reset(started: ExamplePage) -> None:
    start = started.page.locator(".results").all_text_contents()
    started.button(FORWARD, "All equal").click()
    started.wait_until_ready()
    assert started.inputs(FORWARD, "X") == started.inputs(BACKWARD, "X") == ["2"] * 4
    assert started.numbers(FORWARD, "Variance") == ["0"]
    assert_shown(started.numbers(FORWARD, "Inverse standard deviation"), np.array([1e-5**-0.5]))
    assert started.numbers(FORWARD, "Output") == ["0", "0", "0", "1"]
    started.button(FORWARD, "One outlier").click()
    started.button(FORWARD, "Large offset").click()
    started.wait_until_ready()
    assert started.numbers(FORWARD, "Mean") == ["1000003"]
    started.button(FORWARD, "Reset").click()
    started.wait_until_ready()
    for name in ("X", "gamma", "beta"):
        assert [float(text) for text in started.inputs(FORWARD, name)] == START[name]
    assert started.page.locator(".results").all_text_contents() == start


@pytest.mark.parametrize(
    ("typed", "mean", "deviation"),
    [
        ("nan", "nan", "nan"),
        ("inf", "inf", "nan"),
        ("-Infinity", "-inf", "nan"),
        ("1e308", "2.5e307", "0"),
    ],
)
def test_numbers_at_the_edge_are_shown(
    started: ExamplePage, typed: str, mean: str, deviation: str
) -> None:
    started.cell(FORWARD, "X", 0).fill(typed)
    started.wait_until_ready()
    assert started.numbers(FORWARD, "Mean") == [mean]
    assert started.numbers(FORWARD, "Inverse standard deviation") == [deviation]
    assert started.example(FORWARD).locator("[aria-invalid]").count() == 0


def test_a_cell_without_a_number_says_so_and_keeps_the_last_result(started: ExamplePage) -> None:
    started.cell(FORWARD, "X", 3).fill("10")
    started.wait_until_ready()
    good = started.numbers(FORWARD, "Output")
    for typed, note in (
        ("", "empty"),
        ("two", "no number"),
        ("1,5", "no number"),
        ("1e", "no number"),
    ):
        cell = started.cell(FORWARD, "X", 1)
        cell.fill(typed)
        expect(cell).to_have_attribute("aria-invalid", "true")
        expect(cell.locator("xpath=following-sibling::*")).to_have_text(note)
        expect(cell).to_have_accessible_description(note)
        expect(started.status(FORWARD)).to_contain_text("One cell holds no number")
        assert started.numbers(FORWARD, "Output") == good
    started.cell(FORWARD, "X", 1).fill("2")
    started.wait_until_ready()
    assert started.example(FORWARD).locator("[aria-invalid]").count() == 0


def test_of_two_quick_edits_the_last_one_wins(example: ExamplePage) -> None:
    """Before Python is ready, and after."""
    for last in ("40", "8"):
        example.cell(FORWARD, "X", 3).fill("1e5")
        example.cell(FORWARD, "X", 3).fill("77")
        example.cell(FORWARD, "X", 3).fill(last)
        example.wait_until_ready()
        expected = (6 + float(last)) / 4
        assert_shown(example.numbers(FORWARD, "Mean"), np.array([expected]))
        example.page.wait_for_timeout(300)  # no late result may take its place
        assert_shown(example.numbers(FORWARD, "Mean"), np.array([expected]))


def test_many_edits_in_one_go_end_with_the_last(started: ExamplePage) -> None:
    started.page.evaluate(
        """() => {
          const cell = document.querySelector("#ex-ln-forward tbody[data-input=X] input");
          for (let i = 0; i <= 50; i++) {
            cell.value = String(i);
            cell.dispatchEvent(new Event("input", { bubbles: true }));
          }
        }"""
    )
    started.wait_until_ready()
    assert_shown(started.numbers(FORWARD, "Mean"), np.array([(50 + 2 + 3 + 6) / 4]))


def test_results_are_announced_where_the_reader_is(example: ExamplePage) -> None:
    assert example.spoken(FORWARD).inner_text() == ""
    example.start()
    expect(example.spoken(FORWARD)).to_contain_text("Results updated. Output: -1.069")
    example.cell(FORWARD, "beta", 0).fill("5")
    expect(example.spoken(FORWARD)).to_contain_text("Output: 3.931, -0.5345, 0, 4.2071.")
    assert example.spoken(BACKWARD).inner_text() == ""
    region = example.spoken(FORWARD)
    assert region.evaluate("element => getComputedStyle(element).display") != "none"
