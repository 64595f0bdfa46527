import contextlib
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from site_builder.cache import Cache
from site_builder.pipeline import build
from site_builder.read.runtime import find_runtime
from site_builder.render.chromium import find_browser
from site_builder.write.folder import write_folder
from tests.browser.cell_page import CodeOnPage
from tests.browser.example_page import FORWARD, READY_MS, ExamplePage
from tests.browser.laboratory_page import wait
from tests.browser.static_host import static_host
from tests.chromium import arguments, find_chromium
from tests.site_builder.projects import copy_repository

ROOT = Path(__file__).parent.parent.parent
# Chromium draws its own surface, too, at a third of the cost of a page: what it suggests below the
# address is a page of its own. A second list takes the place of Playwright's, which is repeated.
_FEATURES_OFF = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,AimEnabled,AvoidUnnecessaryBeforeUnloadCheckSync,"
    "AvoidCorsURLLoaderRestartOnRedirect,DestroyProfileOnBrowserClose,HttpsUpgrades,"
    "HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,NetworkTimeServiceQuerying,"
    "OptimizationHints,PaintHolding,PreconnectToSearch,TcpPortRandomizationWin,"
    "ThirdPartyStoragePartitioning"
)

# Many tests start Python anew, mostly for a few calls: to compile it well costs more.
_LITTLE_COMPILING = "--js-flags=--wasm-tiering-budget=100000000"


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as it is published, with its runtime and its PDF, built once."""
    folder = tmp_path_factory.mktemp("browser") / "dist"
    cache = Cache(ROOT / ".cache" / "site")
    site = build(ROOT, find_runtime(os.environ), cache, find_browser(os.environ))
    write_folder(folder, site.files)
    return folder


@pytest.fixture(scope="session")
def address(site_folder: Path) -> Iterator[str]:
    """The address of the site."""
    with static_host(site_folder) as address:
        yield address


@pytest.fixture(scope="session")
def cells_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site whose only page has cells and exercises: tests/browser/cells.md."""
    folder = tmp_path_factory.mktemp("cells")
    project = copy_repository(folder / "project")
    for page in (project.root / "content").glob("*.md"):
        page.unlink()
    project.write("content/cells.md", (Path(__file__).parent / "cells.md").read_text("utf-8"))
    site = build(project.root, find_runtime(os.environ), Cache(folder / "cache"))
    write_folder(folder / "dist", site.files)
    with static_host(folder / "dist") as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = find_chromium()
    assert executable, "no Chromium: run `python -m tests.chromium`"
    with sync_playwright() as playwright:
        options = [*arguments(), f"--disable-features={_FEATURES_OFF}", _LITTLE_COMPILING]
        browser = playwright.chromium.launch(executable_path=executable, args=options)
        # Each context would fetch the whole site to keep it. Tests of just that allow it.
        without: dict[str, Any] = {"service_workers": "block"}
        browser.new_context = partial(browser.new_context, **without)  # type: ignore[method-assign]
        browser.new_page = partial(browser.new_page, **without)  # type: ignore[method-assign]
        yield browser
        browser.close()


def _is_error(message: ConsoleMessage) -> bool:
    blocked = message.text.startswith("Service Worker registration blocked")  # see `browser`
    return message.type in ("error", "warning") and not blocked


@contextlib.contextmanager
def fresh_page(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A desktop page in a context of its own, and the errors that its console shows."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda m: errors.append(m.text) if _is_error(m) else None)
    yield page, errors
    context.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A desktop page. An error on its console fails the test."""
    with fresh_page(browser) as (page, errors):
        yield page
    assert errors == []


@pytest.fixture
def handset(browser: Browser) -> Iterator[Page]:
    """A page of a small phone."""
    context = browser.new_context(
        viewport={"width": 375, "height": 667}, has_touch=True, is_mobile=True
    )
    yield context.new_page()
    context.close()


@pytest.fixture
def phone(handset: Page, address: str) -> Page:
    """The LayerNorm page on a small phone."""
    handset.goto(f"{address}layer-norm.html")
    return handset


@pytest.fixture
def example(page: Page, address: str) -> ExamplePage:
    """The LayerNorm page, with Python not yet started."""
    page.goto(f"{address}layer-norm.html")
    page.evaluate("customElements.whenDefined('live-example').then(() => true)")
    return ExamplePage(page)


@pytest.fixture(scope="session")
def _started_once(browser: Browser, address: str) -> Iterator[tuple[ExamplePage, list[str]]]:
    with fresh_page(browser) as (page, errors):
        page.goto(f"{address}layer-norm.html")
        example = ExamplePage(page)
        example.start()
        yield example, errors


@pytest.fixture
def started(_started_once: tuple[ExamplePage, list[str]]) -> Iterator[ExamplePage]:
    """The LayerNorm page with Python running, at the recorded numbers. It serves many tests."""
    example, errors = _started_once
    example.page.set_viewport_size({"width": 1440, "height": 900})
    example.button(FORWARD, "Reset").click()
    example.wait_until_ready()
    yield example
    assert errors == []


@pytest.fixture(scope="session")
def _laboratory_once(browser: Browser, address: str) -> Iterator[tuple[Page, list[str]]]:
    with fresh_page(browser) as (page, errors):
        page.goto(f"{address}laboratory.html")
        page.locator("#ex-batch-norm input").first.focus()
        expect(page.locator("#ex-batch-norm")).to_have_attribute(
            "data-state", "ready", timeout=READY_MS
        )
        yield page, errors


@pytest.fixture
def laboratory(_laboratory_once: tuple[Page, list[str]]) -> Iterator[Page]:
    """The laboratory with Python running, at the recorded numbers. It serves many tests."""
    page, errors = _laboratory_once
    page.set_viewport_size({"width": 1440, "height": 900})
    for reset in page.get_by_role("button", name="Reset", exact=True).all():
        reset.click()
    wait(page)
    yield page
    assert errors == []


@pytest.fixture
def forward(page: Page, cells_address: str) -> CodeOnPage:
    page.goto(f"{cells_address}cells.html")
    for element in ("code-cell", "code-exercise"):
        page.evaluate("name => customElements.whenDefined(name).then(() => true)", element)
    return CodeOnPage(page, "cell-forward")
