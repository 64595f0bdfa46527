"""Code cells: editing, running, stopping, keeping, sharing, on the real Pyodide."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.cell_page import CodeOnPage, other
from tests.browser.example_page import READY_MS
from tests.browser.test_accessibility import violations_in_both_themes

pytestmark = pytest.mark.browser

LOOP = "    while True:\n        pass\n"


def example_mean(page: Page) -> Locator:
    return page.locator("#ex-row .results .number").first


def test_nothing_is_fetched_before_a_reader_edits(page: Page, cells_address: str) -> None:
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.goto(f"{cells_address}cells.html")
    page.wait_for_load_state("networkidle")
    assert not [url for url in fetched if "codemirror" in url or "runtime" in url]
    cell = CodeOnPage(page, "cell-forward")
    cell.edit()
    assert [url for url in fetched if "codemirror" in url]
    assert not [url for url in fetched if "runtime" in url]
    assert all(url.startswith(cells_address) for url in fetched)


def test_the_editor_stands_where_the_listing_stood(forward: CodeOnPage) -> None:
    before = forward.page.evaluate("document.documentElement.scrollHeight")
    line = forward.element.locator(".listing .line").nth(4).bounding_box()
    numbers = forward.element.locator(".listing .line .number").all_inner_texts()
    forward.edit()
    assert forward.page.evaluate("document.documentElement.scrollHeight") == before
    expect(forward.element.locator(".cm-line").nth(4)).to_be_visible()
    edited = forward.element.locator(".cm-line").nth(4).bounding_box()
    assert line
    assert edited
    assert abs(line["y"] - edited["y"]) < 1
    gutter = forward.element.locator(".cm-lineNumbers .cm-gutterElement").all_inner_texts()
    assert [number for number in gutter if number in numbers] == numbers


def test_an_edit_runs_and_the_rest_of_the_page_goes_on(forward: CodeOnPage) -> None:
    recorded = forward.output.inner_text()
    forward.edit()
    forward.run()
    assert forward.output.inner_text() == recorded
    expect(forward.status).to_contain_text("Run in this browser with Python")
    forward.replace("return out, cache", "print('edited')\n    return out, cache")
    expect(forward.element).to_have_attribute("data-stale", "")
    forward.run()
    assert forward.output.inner_text() == f"edited\n{recorded}"
    expect(forward.element).not_to_have_attribute("data-stale", "")
    expect(forward.element.get_by_role("status")).to_contain_text("Output: edited")
    other(forward).button("Run").click()
    other(forward).wait()
    expect(other(forward).output).to_contain_text("edited")  # one code, whichever cell runs it
    forward.page.locator("#ex-row input").first.fill("5")
    expect(example_mean(forward.page)).to_have_text("4")
    forward.button("Reset").click()
    assert forward.output.inner_text() == recorded
    expect(forward.status).to_contain_text("Recorded by the build")


def test_a_failure_is_marked_in_the_cell_where_it_lies(forward: CodeOnPage) -> None:
    forward.replace("/ std", "/ stdd")
    backward = other(forward)
    backward.button("Run").click()
    backward.wait()
    expect(backward.failure).to_contain_text("NameError: name 'stdd' is not defined")
    expect(backward.failure).to_contain_text("Line 25 of layernorm_forward: xhat = (x - mu) / stdd")
    marked = forward.element.locator(".cm-failed")
    expect(marked).to_have_text("    xhat = (x - mu) / stdd")
    shown = marked.evaluate("line => getComputedStyle(line, '::after').content")
    assert "NameError" in shown
    forward.content.press("End")
    forward.page.keyboard.type(" ")
    expect(marked).to_have_count(0)
    backward.replace("xhat, gamma, std = cache", "xhat, gamma, std = cache)")
    backward.run()
    expect(backward.failure).to_contain_text("SyntaxError: unmatched ')'")
    expect(backward.failure).to_contain_text("Line 36:")


def test_an_endless_run_is_stopped_and_the_page_recovers(forward: CodeOnPage) -> None:
    forward.page.locator("#ex-row input").first.fill("5")
    expect(example_mean(forward.page)).to_have_text("4", timeout=READY_MS)
    forward.replace("    return out, cache", f"{LOOP}    return out, cache")
    text = forward.text
    forward.page.keyboard.press("Control+Enter")
    expect(forward.element).to_have_attribute("data-state", "running", timeout=READY_MS)
    forward.page.locator("#ex-row input").first.fill("9")  # waits behind the endless run
    expect(forward.element).to_have_attribute("data-state", "stopped", timeout=15_000)
    expect(forward.status).to_contain_text("Stopped after 10 s, the limit of a run.")
    assert forward.text == text
    expect(example_mean(forward.page)).to_have_text("5", timeout=READY_MS)
    forward.replace(LOOP, "")
    forward.run()
    expect(forward.output).to_contain_text("x (2, 4, 8)")


def test_stop(forward: CodeOnPage) -> None:
    forward.replace("    return out, cache", f"{LOOP}    return out, cache")
    text = forward.text
    forward.page.keyboard.press("Control+Enter")
    expect(forward.element).to_have_attribute("data-state", "running", timeout=READY_MS)
    forward.button("Stop").click()
    expect(forward.element).to_have_attribute("data-state", "stopped")
    expect(forward.status).to_have_text("Stopped. Your text is as it was.")
    assert forward.text == text
    other(forward).button("Run").click()
    other(forward).button("Stop").click()  # also while Python starts anew
    expect(other(forward).element).to_have_attribute("data-state", "stopped")


def test_a_run_that_fills_the_memory(forward: CodeOnPage) -> None:
    last = "    return out, cache"
    forward.replace(last, f"    [np.empty(2**27) for _ in range(9)]\n{last}")
    forward.run()
    expect(forward.failure).to_contain_text("MemoryError")
    expect(forward.failure).to_contain_text("[np.empty(2**27) for _ in range(9)]")
    expect(forward.status).to_contain_text("The run filled the memory. Python starts anew")
    hoard = "    hoard = []\n    while True:\n        hoard.append(np.zeros(10**8))\n"
    forward.replace("    [np.empty(2**27) for _ in range(9)]\n", hoard)
    forward.page.keyboard.press("Control+Enter")
    expect(forward.element).to_have_attribute("data-state", "running", timeout=READY_MS)
    ended = re.compile("ready|stopped")  # whichever comes first, the end of memory or of the time
    expect(forward.element).to_have_attribute("data-state", ended, timeout=20_000)
    forward.replace(hoard, "")
    forward.run()
    expect(forward.failure).to_be_hidden()
    expect(forward.output).to_contain_text("x (2, 4, 8)")


def test_an_editor_that_cannot_be_fetched_can_be_asked_for_again(
    browser: Browser, cells_address: str
) -> None:
    own = browser.new_page()  # whose console may say that the file is not there
    own.route("**/codemirror.js", lambda route: route.abort())
    own.goto(f"{cells_address}cells.html")
    cell = CodeOnPage(own, "cell-forward")
    cell.button("Edit").click()
    expect(cell.status).to_contain_text("The editor could not be loaded.")
    cell.button("Run").click()
    cell.wait()
    own.unroute("**/codemirror.js")
    cell.edit()
    own.close()


def test_a_site_without_python_says_so(browser: Browser, cells_address: str) -> None:
    own = browser.new_page()
    own.route(
        "**/cells.html",
        lambda route: route.fulfill(
            body=re.sub(r'data-runtime-bytes="\d+"', 'data-runtime-bytes="0"',
                        route.fetch().text()), content_type="text/html"),
    )  # fmt: skip
    own.goto(f"{cells_address}cells.html")
    cell = CodeOnPage(own, "cell-forward")
    expect(cell.status).to_have_text(
        "This copy of the site has no Python, so the code cannot be run here."
    )
    expect(cell.button("Run")).to_be_hidden()
    expect(cell.output).to_contain_text("x (2, 4, 8)")
    own.close()


def test_escape_then_tab_leaves_and_tab_indents(forward: CodeOnPage) -> None:
    forward.edit()
    help_ = forward.element.locator(".cell-help")
    expect(help_).to_be_visible()
    assert forward.content.get_attribute("aria-describedby") == help_.get_attribute("id")
    before = forward.text
    forward.page.keyboard.press("Tab")
    assert forward.text == f"    {before}"
    forward.page.keyboard.press("Control+z")
    assert forward.text == before
    forward.page.keyboard.press("Escape")
    forward.page.keyboard.press("Tab")
    expect(forward.content).not_to_be_focused()
    expect(forward.button("Run")).to_be_focused()
    assert forward.text == before


def test_changes_are_shown_against_the_source(forward: CodeOnPage) -> None:
    expect(forward.button("Show changes")).to_be_disabled()
    forward.replace("/ std", "/ (std + 1)")
    forward.button("Show changes").click()
    expect(forward.button("Show changes")).to_have_attribute("aria-pressed", "true")
    expect(forward.element.locator(".cm-deletedChunk")).to_contain_text("xhat = (x - mu) / std")
    expect(forward.element.locator(".cm-changedLine")).to_contain_text("(std + 1)")
    forward.button("Show changes").click()
    expect(forward.element.locator(".cm-deletedChunk")).to_have_count(0)


def test_the_page_is_told_of_each_run(forward: CodeOnPage) -> None:
    forward.page.evaluate(
        "document.addEventListener('reader-code-ran', ({ detail }) => (window.told = detail))"
    )
    forward.replace("/ std", "/ (std + 1)")
    forward.run()
    told = forward.page.evaluate("window.told")
    assert told["failure"] is None
    (edit,) = told["edits"]
    assert (edit["cell"], edit["module"]) == ("forward", "lessons.layer_norm")
    assert edit["text"] == forward.text
    forward.page.evaluate(
        "document.addEventListener('reader-code-restored', () => (window.restored = true))"
    )
    forward.button("Reset").click()
    assert forward.page.evaluate("window.restored")


def test_without_javascript_the_cell_is_a_listing_with_its_output(
    browser: Browser, cells_address: str
) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{cells_address}cells.html")
    cell = CodeOnPage(page, "cell-forward")
    expect(cell.element.locator(".listing .line .k").first).to_have_text("def")
    expect(cell.output).to_contain_text("x (2, 4, 8)")
    expect(cell.button("Run")).to_be_hidden()
    expect(cell.element.locator(".cell-help")).to_be_hidden()
    page.context.close()


def test_a_phone_can_edit_and_run(browser: Browser, cells_address: str) -> None:
    context = browser.new_context(
        viewport={"width": 375, "height": 700}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto(f"{cells_address}cells.html")
    cell = CodeOnPage(page, "cell-forward")
    cell.button("Edit").tap()
    expect(cell.content).to_be_focused()
    cell.replace("/ std", "/ stdd")
    cell.button("Run").tap()
    cell.wait()
    expect(cell.failure).to_contain_text("stdd")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    for button in page.locator(".cell button:visible, .cell summary:visible").all():
        box = button.bounding_box()
        assert box
        assert box["height"] >= 24
        assert box["width"] >= 24
    context.close()


def test_axe_finds_nothing(browser: Browser, cells_address: str) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{cells_address}cells.html")
    assert violations_in_both_themes(page) == []
    cell = CodeOnPage(page, "cell-forward")
    cell.replace("/ std", "/ stdd")
    cell.run()
    cell.button("Show changes").click()
    cell.button("Copy link").click()
    exercise = CodeOnPage(page, "exercise-sums")
    exercise.button("Check").click()
    exercise.wait()
    exercise.element.locator("summary").last.click()
    page.set_viewport_size({"width": 375, "height": 800})
    page.wait_for_timeout(200)
    assert violations_in_both_themes(page) == []
    page.close()
