"""The Content-Security-Policy: nothing on the site breaks it, and it does stop what it should."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.cell_page import CodeOnPage
from tests.browser.example_page import FORWARD, ExamplePage
from tests.browser.laboratory_page import button, wait
from tests.browser.pages import PAGES

pytestmark = pytest.mark.browser

WATCH = """
window.broken = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.broken.push(`${event.effectiveDirective} ${event.blockedURI}`));
"""


@pytest.fixture
def watched(browser: Browser) -> Iterator[Page]:
    """A page that notes each violation before anything else runs."""
    page = browser.new_context(
        viewport={"width": 1440, "height": 900}, service_workers="allow"
    ).new_page()
    page.add_init_script(WATCH)
    yield page
    page.context.close()


def broken(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.broken")
    return found


@pytest.mark.parametrize("path", PAGES)
def test_no_page_breaks_the_policy(watched: Page, address: str, path: str) -> None:
    watched.goto(address + path)
    watched.wait_for_timeout(200)
    assert broken(watched) == []


def test_examples_figures_and_steps_do_not(watched: Page, address: str) -> None:
    watched.goto(f"{address}layer-norm.html")
    example = ExamplePage(watched)
    example.start()
    example.cell(FORWARD, "X", 0).fill("4")
    example.wait_until_ready()
    assert broken(watched) == []
    watched.goto(f"{address}laboratory.html")
    watched.locator("live-example input").first.focus()
    wait(watched)
    button(watched.locator("live-example").first, "Add a feature").click()
    wait(watched)
    assert broken(watched) == []


def test_cells_and_exercises_do_not(watched: Page, cells_address: str) -> None:
    watched.goto(f"{cells_address}cells.html")
    cell = CodeOnPage(watched, "cell-forward")
    cell.edit()
    cell.type_all(cell.text + "\n# edited\n")
    cell.run()
    cell.button("Show changes").click()
    assert broken(watched) == []
    exercise = CodeOnPage(watched, watched.locator("code-exercise").first.get_attribute("id") or "")
    exercise.button("Check").click()
    exercise.wait()
    assert broken(watched) == []


def test_inline_scripts_and_other_hosts_are_stopped(watched: Page, address: str) -> None:
    watched.goto(f"{address}layer-norm.html")
    watched.evaluate("""() => {
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.body.append(script);
      return fetch("https://elsewhere.invalid/").catch(() => {});
    }""")
    assert broken(watched) == ["script-src-elem inline", "connect-src https://elsewhere.invalid/"]
    assert watched.evaluate("window.ran") is None


@pytest.mark.parametrize("path", ["index.html", "source/ops.html", "404.html"])
def test_pages_without_formulas_allow_no_inline_style(
    watched: Page, address: str, path: str
) -> None:
    watched.goto(address + path)
    watched.evaluate("document.body.setAttribute('style', 'color: red')")
    assert broken(watched) == ["style-src-attr inline"]
