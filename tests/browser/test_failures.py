"""Without JavaScript, without a file, without a network: the page stays whole and says why."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.example_page import ALL, BACKWARD, FORWARD, READY_MS, ExamplePage

# Errors on the console are expected here, so these tests make their own pages.
pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser) -> Page:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    return context.new_page()


def test_without_javascript_the_page_is_complete(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}layer-norm.html")
    example = ExamplePage(page)
    assert example.numbers(FORWARD, "Output") == ["-1.069", "-0.5345", "0", "4.2071"]
    assert example.numbers(BACKWARD, "Gradient on the input")[0] == "0.4391"
    assert page.locator(".katex math").count() > 50
    assert page.locator(".listing .line").count() > 20
    expect(example.cell(FORWARD, "X", 0)).to_have_attribute("readonly", "")
    # Playwright turns scripts off too late for the parser to show what <noscript> holds.
    assert page.locator("noscript").count() == len(ALL)
    expect(example.status(FORWARD)).to_contain_text("Recorded by the build with Python")
    expect(example.example(FORWARD).get_by_role("button")).to_have_count(0)
    context.close()


def test_each_missing_file_is_named_and_retry_helps(page: Page, address: str) -> None:
    # One at a time, so that each retry has the file that was missing and lacks the next.
    page.goto(f"{address}layer-norm.html")
    example = ExamplePage(page)
    for missing in ("pyodide.mjs", "pyodide.asm.wasm", "*.whl", "sources.zip"):
        page.route(f"**/runtime/{missing}", lambda route: route.abort())
        if missing == "pyodide.mjs":
            example.cell(FORWARD, "X", 3).fill("7")
        else:
            example.button(FORWARD, "Retry").click()
        named = missing.removeprefix("*") if missing != "pyodide.mjs" else "pyodide"
        expect(example.status(FORWARD)).to_contain_text(named, timeout=READY_MS)
        for name in ALL:
            expect(example.example(name)).to_have_attribute("data-state", "failed")
            expect(example.status(name)).to_contain_text("Python could not start in this browser (")
        assert example.numbers(FORWARD, "Mean") == ["3"], "the recorded result stays"
        expect(example.example(FORWARD)).to_have_attribute("data-stale", "")
        expect(example.spoken(FORWARD)).to_contain_text("Python could not start")
        page.unroute(f"**/runtime/{missing}")
    example.button(FORWARD, "Retry").click()
    example.wait_until_ready()
    assert example.numbers(FORWARD, "Mean") == ["3.25"], "the edit made meanwhile was kept"
    expect(example.button(FORWARD, "Retry")).to_be_hidden()
    page.context.close()


def test_a_corrupt_wheel_is_refused(page: Page, address: str) -> None:
    page.route("**/runtime/*.whl", lambda route: route.fulfill(body=b"PK not a wheel"))
    page.goto(f"{address}layer-norm.html")
    example = ExamplePage(page)
    example.cell(FORWARD, "X", 0).focus()
    expect(example.example(FORWARD)).to_have_attribute("data-state", "failed", timeout=READY_MS)
    page.context.close()


def test_offline_after_python_has_loaded(page: Page, address: str) -> None:
    page.goto(f"{address}layer-norm.html")
    example = ExamplePage(page)
    example.start()
    page.context.set_offline(True)
    example.cell(FORWARD, "X", 3).fill("10")
    example.wait_until_ready()
    assert example.numbers(FORWARD, "Mean") == ["4"]
    page.context.close()


def test_offline_before_python_was_asked_for(page: Page, address: str) -> None:
    page.goto(f"{address}layer-norm.html")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    example = ExamplePage(page)
    example.cell(FORWARD, "X", 0).focus()
    expect(example.example(FORWARD)).to_have_attribute("data-state", "failed", timeout=READY_MS)
    page.context.set_offline(False)
    example.button(FORWARD, "Retry").click()
    example.wait_until_ready()
    page.context.close()


def test_progress_shows_real_bytes(page: Page, address: str) -> None:
    page.goto(f"{address}layer-norm.html")
    page.evaluate(
        """() => {
          window.seen = [];
          const status = document.querySelector("#ex-ln-forward .status-text");
          const observer = new MutationObserver(() => seen.push(status.textContent));
          observer.observe(status, { childList: true });
        }"""
    )
    example = ExamplePage(page)
    example.start()
    seen: list[str] = page.evaluate("seen")
    loading = [text for text in seen if text.startswith(("Loading", "Starting"))]
    loaded = [float(text.split(": ")[1].split(" of ")[0]) for text in loading]
    total = float(loading[0].split(" of ")[1].split(" MB")[0])
    assert loaded == sorted(loaded)
    assert loaded[-1] == pytest.approx(total, abs=0.11)
    assert len(set(loaded)) > 3
    page.context.close()
