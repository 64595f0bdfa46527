"""Figures, sizes and the step-through follow the reader's numbers, in the real Pyodide."""

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from lessons.batch_norm import batch_norm_forward
from tests.browser.example_page import BACKWARD, FORWARD, READY_MS, ExamplePage, assert_shown
from tests.browser.laboratory_page import button, cell, table, wait
from tests.browser.test_accessibility import violations_in_every_look
from tinygpt.ops import layer_norm_backward, layer_norm_forward

pytestmark = pytest.mark.browser

HAS_FETCHED = """part =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes(part))"""


def test_nothing_of_the_drawing_code_is_fetched_before_it_is_used(page: Page, address: str) -> None:
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.goto(f"{address}layer-norm.html")
    page.wait_for_load_state("networkidle")
    assert not [url for url in fetched if "/figures/" in url or "scales" in url]
    assert page.locator("#fig-ln-row svg circle").count() == 4
    example = ExamplePage(page)
    example.start()
    for part in ("/figures/index.js", "bundles/scales.js"):
        page.wait_for_function(HAS_FETCHED, arg=part)
    assert all(url.startswith((address, "blob:")) for url in fetched)


def test_build_and_browser_draw_the_same(started: ExamplePage, example: ExamplePage) -> None:
    for figure in ("#fig-ln-row", "#fig-ln-jacobian"):
        drawn = [
            page.locator(figure).evaluate("figure => figure.querySelector('.picture').innerHTML")
            for page in (started.page, example.page)
        ]
        assert drawn[0] == drawn[1]


def test_figures_follow_an_edit(started: ExamplePage) -> None:
    row, jacobian = started.page.locator("#fig-ln-row"), started.page.locator("#fig-ln-jacobian")
    before = row.locator("circle").nth(1).get_attribute("cy")
    started.cell(FORWARD, "X", 1).fill("-3.5")
    started.wait_until_ready()
    wait(started.page)
    X = np.array([[1.0, -3.5, 3.0, 6.0]])
    Y, (Xhat, s) = layer_norm_forward(X, np.array([1.0, 1, 1, 2]), np.array([0.0, 0, 0, 1]))
    shown = table(row)
    assert [line[1] for line in shown] == ["1", "-3.5", "3", "6"]
    assert_shown([line[4] for line in shown], Xhat)
    assert_shown([line[5] for line in shown], Y)
    assert row.locator("circle").nth(1).get_attribute("cy") != before
    matrix = s * (np.eye(4) - 1 / 4 - Xhat.T @ Xhat / 4)
    assert_shown([text for line in table(jacobian) for text in line[1:]], matrix)


def test_everything_follows_a_feature_and_a_row_more(started: ExamplePage) -> None:
    page = started.page
    button(started.example(FORWARD), "Add a feature").click()
    button(started.example(FORWARD), "Add a row").click()
    for name, symbol, count in (
        (FORWARD, "X", 10),
        (FORWARD, "gamma", 5),
        (FORWARD, "beta", 5),
        (BACKWARD, "dY", 10),
        (BACKWARD, "X", 10),
    ):
        assert len(started.inputs(name, symbol)) == count
    started.cell(FORWARD, "X", 7).fill("0.25")  # row t1, feature i2
    started.wait_until_ready()
    wait(page)
    X = np.array([[1.0, 2, 3, 6, 6], [1, 2, 0.25, 6, 6]])
    gamma, beta = np.array([1.0, 1, 1, 2, 2]), np.array([0.0, 0, 0, 1, 1])
    dY = np.array([[1.0, 0, 0, 1, 1]] * 2)
    Y, cache = layer_norm_forward(X, gamma, beta)
    dX, dgamma, _ = layer_norm_backward(dY, cache, gamma)
    assert_shown(started.numbers(FORWARD, "Mean"), X.mean(axis=1))
    assert_shown(started.numbers(FORWARD, "Output"), Y)
    assert_shown(started.numbers(BACKWARD, "Gradient on the input"), dX)
    assert_shown(started.numbers(BACKWARD, "Gradient on the scale"), dgamma)
    assert started.example(FORWARD).locator(".inputs thead th").all_inner_texts()[-1] == "i4"
    shown = table(page.locator("#fig-ln-row"))
    assert [line[0] for line in shown][7] == "t1 i2"
    assert_shown([line[5] for line in shown], Y)
    assert page.locator("#fig-ln-jacobian .cell").count() == 2 * 5 * 5
    expect(started.cell(FORWARD, "X", 7)).to_have_accessible_name("X, row t1, feature i2")
    ids = page.locator("[id]").evaluate_all("all => all.map((element) => element.id)")
    assert len(ids) == len(set(ids))
    button(started.example(FORWARD), "Reset").click()
    started.wait_until_ready()
    assert started.inputs(FORWARD, "X") == ["1", "2", "3", "6"]
    assert page.locator("#fig-ln-jacobian .cell").count() == 16


def test_sizes_have_limits_and_a_preset_goes_back(started: ExamplePage) -> None:
    example = started.example(FORWARD)
    remove, add = button(example, "Remove a feature"), button(example, "Add a feature")
    for _ in range(3):
        remove.click()
    assert started.inputs(FORWARD, "X") == ["1"]
    expect(remove).to_have_attribute("aria-disabled", "true")
    remove.click(force=True)
    assert started.inputs(FORWARD, "X") == ["1"]
    started.wait_until_ready()
    assert started.numbers(FORWARD, "Variance") == ["0"]
    worked = started.row(BACKWARD, "One entry by hand").text_content() or ""
    assert "–" not in worked, "the first entry is still there"
    for _ in range(15):
        add.click()
    expect(add).to_have_attribute("aria-disabled", "true")
    assert len(started.inputs(FORWARD, "gamma")) == 16
    button(example, "All equal").click()
    started.wait_until_ready()
    assert started.inputs(FORWARD, "X") == ["2"] * 4
    assert len(started.inputs(FORWARD, "gamma")) == 4


def test_what_grew_and_shrank_is_as_it_was(started: ExamplePage) -> None:
    tables = started.page.locator(":is(.inputs, .results)")
    before = tables.all_text_contents()
    for label in ("Add a feature", "Add a row", "Add a row", "Remove a feature"):
        button(started.example(FORWARD), label).click()
    started.wait_until_ready()
    assert tables.all_text_contents() != before
    button(started.example(FORWARD), "Reset").click()
    started.wait_until_ready()
    assert tables.all_text_contents() == before


def test_the_curve_is_that_of_the_numbers(laboratory: Page) -> None:
    example, figure = laboratory.locator("#ex-curve"), laboratory.locator("#fig-curve")
    steps = [line[0] for line in table(figure)]
    assert (float(steps[0]), float(steps[-1])) == (0.1, 1e-14)
    recorded = [line[1:] for line in table(figure)]
    button(example, "Large offset").click()
    wait(laboratory)
    offset = [line[1:] for line in table(figure)]
    assert offset != recorded
    assert min(float(error) for error, _ in offset) > min(float(error) for error, _ in recorded)
    expect(figure.locator("svg")).to_contain_text("h = 1e-5, used")


def test_an_edit_moves_the_other_example_of_the_batch_norm_alone(laboratory: Page) -> None:
    example, figure = laboratory.locator("#ex-batch-norm"), laboratory.locator("#fig-batch-norm")
    cell(example, "X_edited", 10).fill("-4")  # b1 t1 i1
    wait(laboratory)
    shown = table(figure)
    layer = [line[1] == line[2] for line in shown]
    batch = [line[3] == line[4] for line in shown]
    assert layer[:6] == [True] * 6
    assert not any(layer[9:])
    assert [index for index, same in enumerate(batch) if not same] == [1, 4, 7, 10]
    expect(figure.locator("svg")).to_contain_text("b0: unmoved")
    X = np.array([[[1, 2, 6], [0, -1, 4]], [[3, 3.5, -2], [1, -4, 0]]], dtype=float)
    expected = batch_norm_forward(X, np.ones(3), np.zeros(3))
    assert_shown([line[4] for line in shown], expected)
    cell(example, "X", 10).fill("-4")
    wait(laboratory)
    assert figure.locator(".frame").count() == 0


def test_a_block_grows_in_three_directions(laboratory: Page) -> None:
    example, figure = laboratory.locator("#ex-batch-norm"), laboratory.locator("#fig-batch-norm")
    for name in ("Add an example", "Add a row", "Add a feature"):
        button(example, name).click()
    wait(laboratory)
    assert example.locator("tbody[data-input=X] input").count() == 3 * 3 * 4
    names = example.locator("tbody[data-input=X] [scope=row]").all_inner_texts()
    assert names == [f"b{b} t{t}" for b in range(3) for t in range(3)]
    for heading in example.locator("[scope=rowgroup]").all():
        expect(heading).to_have_attribute("rowspan", "9")
    assert len(table(figure)) == 36
    assert figure.locator(".cell").count() == 72


def test_without_javascript_all_steps_and_tables_are_there(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}laboratory.html")
    assert page.locator("#trace-steps .step").count() == 14
    for values in page.locator("#trace-steps .values").all():
        expect(values).to_be_visible()
        assert (values.text_content() or "").strip()
    expect(page.locator(".trace-controls")).to_be_hidden()
    assert len(table(page.locator("#fig-curve"))) == 27
    assert page.locator("#fig-curve svg [class='curve first']").count() == 2
    context.close()


def test_a_drawing_that_cannot_be_loaded_says_so(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.route("**/figures/*.js", lambda route: route.abort())
    page.goto(f"{address}layer-norm.html")
    example = ExamplePage(page)
    example.cell(FORWARD, "X", 0).fill("5")
    example.wait_until_ready()
    figure = page.locator("#fig-ln-row")
    expect(figure.locator(".drawing-failed")).to_be_visible()
    expect(figure).to_have_attribute("data-stale", "")
    assert figure.locator("svg circle").count() == 4
    context.close()


def test_grown_and_opened_nothing_breaks(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 800})
    page = context.new_page()
    page.goto(f"{address}laboratory.html")
    for summary in page.locator("live-figure summary").all():
        summary.click()
    example = page.locator("#ex-batch-norm")
    for name in ("Add a feature",) * 3 + ("Add a row",):
        button(example, name).click()
    expect(example).to_have_attribute("data-state", "ready", timeout=READY_MS)
    button(page.locator("#trace-steps"), "Start over").click()
    wait_for = page.locator("#fig-batch-norm .cell")
    expect(wait_for).to_have_count(2 * 2 * 3 * 6)
    page.evaluate("scrollTo(0, 0)")  # so that the header covers nothing
    found = violations_in_every_look(page)
    assert found == [], "\n".join(found)
    targets = page.locator(".example button, .trace button, .trace input, summary")
    for width in (1440, 375):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for target in targets.all():
            box = target.bounding_box()
            assert box is None or min(box["width"], box["height"]) >= 24
    context.close()


def test_redrawing_moves_nothing(started: ExamplePage) -> None:
    page = started.page
    page.evaluate(
        """() => {
          window.shift = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) window.shift += entry.value;
          }).observe({ type: "layout-shift" });
        }"""
    )
    figure = page.locator("#fig-ln-row")
    figure.scroll_into_view_if_needed()
    place = "e => [e.offsetTop, e.offsetWidth, e.offsetHeight]"
    before = figure.evaluate(place)
    for value in ("7", "-20", "1e5"):
        started.cell(FORWARD, "X", 2).fill(value)
        started.wait_until_ready()
        wait(page)
    page.wait_for_timeout(300)
    assert figure.evaluate(place) == before
    assert page.evaluate("window.shift") < 1e-3
