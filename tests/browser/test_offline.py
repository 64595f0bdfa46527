"""Without a network the site still works; a new release takes over whole, or not at all."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from site_builder.serve import NO_SERVICE_WORKER
from site_builder.write.release import service_worker
from tests.browser.example_page import FORWARD, READY_MS, ExamplePage
from tests.browser.static_host import static_host

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parent.parent.parent
SETTLED_MS = 3000  # Playwright may wait for ever on a document that is refreshed while it looks
INSTALLED = "navigator.serviceWorker.ready.then((registration) => registration.scope)"
KEPT = """async () => {
  const all = {};
  for (const name of await caches.keys()) {
    all[name] = (await (await caches.open(name)).keys()).map(({ url }) => url);
  }
  return all;
}"""
UPDATE = """async () => {
  const registration = await navigator.serviceWorker.ready;
  await registration.update().catch(() => {});
  const worker = registration.installing;
  if (worker) await new Promise((resolve) => {
    worker.addEventListener("statechange", resolve, { once: true });
  });
  return registration.waiting !== null;
}"""


def release(folder: Path) -> None:
    """Write the service worker for what is in a folder now."""
    paths = [file for file in folder.rglob("*") if file.is_file()]
    files = {
        file.relative_to(folder).as_posix(): file
        for file in paths
        if file.name != "service-worker.js"
    }
    (folder / "service-worker.js").write_text(service_worker(ROOT, files), "utf-8")


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def folder(site_folder: Path, tmp_path: Path) -> Path:
    """The site, to be changed at will."""
    return Path(shutil.copytree(site_folder, tmp_path / "dist"))


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Page]:
    page = browser.new_context(service_workers="allow").new_page()
    yield page
    page.context.close()


def kept(page: Page) -> dict[str, list[str]]:
    found: dict[str, list[str]] = page.evaluate(KEPT)
    return found


def test_after_one_visit_and_one_run_pages_and_python_need_no_network(
    visitor: Page, folder: Path
) -> None:
    with static_host(folder) as address:
        visitor.goto(f"{address}layer-norm.html")
        assert visitor.evaluate(INSTALLED) == address
        (files,) = kept(visitor).values()
        assert not [url for url in files if url.endswith(".wasm")]  # Python was not used yet
        ExamplePage(visitor).start()
        runtime = [f"{address}runtime/{file.name}" for file in (folder / "runtime").iterdir()]
        visitor.wait_for_function(
            """async (urls) => {
              const kept = await Promise.all(urls.map((url) => caches.match(url)));
              return kept.every(Boolean);
            }""",
            arg=runtime,
        )
    visitor.reload()
    example = ExamplePage(visitor)
    example.start()
    example.cell(FORWARD, "X", 0).fill("4")
    example.wait_until_ready()
    expect(example.row(FORWARD, "Mean")).to_contain_text("3.75")
    for path in ("", "lesson.html", "laboratory", "source/ops.html", "freshness.html"):
        visitor.goto(address + path)
        expect(visitor.locator("h1")).to_be_visible()
    assert visitor.evaluate("document.fonts.ready.then((fonts) => fonts.status)") == "loaded"


def test_a_new_release_takes_over_whole_when_one_page_is_left(visitor: Page, folder: Path) -> None:
    title = "A small GPT, explained"
    with static_host(folder) as address:
        visitor.goto(f"{address}index.html")
        visitor.evaluate(INSTALLED)
        visitor.reload()
        (first,) = kept(visitor)
        for file in folder.glob("*.html"):
            change(file, title, "Another release")
        with (folder / "static/styles.css").open("a") as styles:
            styles.write("body { --release: 2 }\n")
        release(folder)
        visitor.reload()  # still the old one, which fetches the new one meanwhile
        second = visitor.context.new_page()
        second.goto(f"{address}lesson.html")
        assert visitor.evaluate(UPDATE)
        second.reload()
        assert title in second.title()  # two pages are open: both stay with the old release
        assert not second.evaluate("getComputedStyle(document.body).getPropertyValue('--release')")
        second.close()
        visitor.reload()
        visitor.wait_for_timeout(SETTLED_MS)
        after = visitor.context.new_page()
        after.goto(f"{address}index.html")
        expect(after.locator("h1")).to_have_text("Another release")
        after.wait_for_function("caches.keys().then((names) => names.length === 1)")
        assert list(kept(after)) != [first]
    after.goto(f"{address}lesson.html")
    assert after.title().endswith("Another release")
    assert after.evaluate("getComputedStyle(document.body).getPropertyValue('--release')") == "2"


def test_a_page_is_not_loaded_again_and_again_while_a_release_takes_over(
    visitor: Page, folder: Path
) -> None:
    with static_host(folder) as address:
        visitor.goto(f"{address}index.html")
        visitor.evaluate(INSTALLED)
        visitor.reload()
        change(folder / "index.html", "A small GPT, explained", "Another release")
        release(folder)
        slowly = "setTimeout(() => worker.skipWaiting(), 2500)"
        change(folder / "service-worker.js", "worker.skipWaiting()", slowly)
        assert visitor.evaluate(UPDATE)
        loads: list[str] = []
        visitor.on("framenavigated", lambda frame: loads.append(frame.url))
        visitor.reload()
        visitor.wait_for_timeout(2 * SETTLED_MS)
        expect(visitor.locator("h1")).to_have_text("Another release", timeout=15_000)
    assert 1 < len(loads) < 8


def test_a_release_of_which_half_is_there_does_not_take_over(visitor: Page, folder: Path) -> None:
    with static_host(folder) as address:
        visitor.goto(f"{address}index.html")
        visitor.evaluate(INSTALLED)
        visitor.reload()
        page = folder / "index.html"
        before = page.read_text("utf-8")
        change(page, "A small GPT, explained", "Another release")
        release(folder)
        page.write_text(before, "utf-8")  # the host still has the old one
        assert not visitor.evaluate(UPDATE)
        visitor.reload()
        expect(visitor.locator("h1")).to_have_text("A small GPT, explained")


def test_make_serve_removes_it(visitor: Page, folder: Path) -> None:
    with static_host(folder) as address:
        visitor.goto(f"{address}index.html")
        visitor.evaluate(INSTALLED)
        visitor.reload()
        change(folder / "index.html", "A small GPT, explained", "While one writes")
        (folder / "service-worker.js").write_text(NO_SERVICE_WORKER, "utf-8")
        visitor.evaluate("navigator.serviceWorker.ready.then((known) => void known.update())")
        expect(visitor.locator("h1")).to_have_text("While one writes", timeout=READY_MS)
        assert kept(visitor) == {}
