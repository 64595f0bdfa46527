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
from tests.browser.waiting import wait_for_promise

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parent.parent.parent
TITLE = "A small GPT, explained"
INSTALLED = "navigator.serviceWorker.ready.then((registration) => registration.scope)"
KEPT = """async () => {
  const all = {};
  for (const name of await caches.keys()) {
    all[name] = (await (await caches.open(name)).keys()).map(({ url }) => url);
  }
  return all;
}"""
# Until the browser has looked for a new release and, where there is a whole one, taken it.
UPDATE = """async () => {
  const registration = await navigator.serviceWorker.ready;
  await registration.update().catch(() => {});
  while (registration.installing || registration.waiting) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}"""
ALL_KEPT = """async (urls) =>
  (await Promise.all(urls.map((url) => caches.match(url)))).every(Boolean)"""
ONE_RELEASE = "caches.keys().then((names) => names.length === 2)"  # and the pages
OPENING_MS = 11_000  # longer than a page may be on its way: see static/service-worker.js
PAGES = "pages"  # the cache that says which page is of which release


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
    """The addresses that each release keeps, by its name."""
    found: dict[str, list[str]] = page.evaluate(KEPT)
    releases = {name.rpartition(" ")[2]: urls for name, urls in found.items()}
    releases.pop(PAGES, None)
    return releases


def released(page: Page) -> str:
    """What the styles say that this page gets."""
    style = "fetch('static/styles.css').then((answer) => answer.text())"
    return "another" if ".another" in page.evaluate(style) else "first"


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
        wait_for_promise(visitor, ALL_KEPT, runtime)
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


@pytest.fixture
def first(visitor: Page, folder: Path) -> Iterator[str]:
    """The address of a host with a new release, while the visitor's page is of the first one."""
    with static_host(folder) as address:
        visitor.goto(f"{address}index.html")
        visitor.evaluate(INSTALLED)
        visitor.reload()
        for file in folder.glob("*.html"):
            change(file, TITLE, "Another release")
        with (folder / "static/styles.css").open("a") as styles:
            styles.write(".another { color: red }\n")
        release(folder)
        visitor.evaluate(UPDATE)
        yield address


def test_a_page_stays_with_its_release_and_the_next_is_of_the_new_one(
    visitor: Page, first: str
) -> None:
    assert len(kept(visitor)) == 2
    second = visitor.context.new_page()
    second.goto(f"{first}lesson.html")
    assert second.title().endswith("Another release")
    assert [released(visitor), released(second)] == ["first", "another"]
    second.reload()
    assert [released(visitor), released(second)] == ["first", "another"]
    visitor.goto(f"{first}laboratory.html")
    assert visitor.title().endswith("Another release")
    assert released(visitor) == "another"


def test_a_release_is_kept_while_a_page_is_of_it(visitor: Page, first: str) -> None:
    second = visitor.context.new_page()
    second.goto(f"{first}lesson.html")
    assert len(kept(visitor)) == 2
    visitor.close()
    second.wait_for_timeout(OPENING_MS)
    for _ in range(2):
        second.reload()
    wait_for_promise(second, ONE_RELEASE)
    pages = second.evaluate(KEPT)[f"{first} {PAGES}"]
    assert len(pages) <= 3  # this page, and those that it was just before it was reloaded
    assert released(second) == "another"


def test_which_page_is_of_which_release_outlives_the_service_worker(
    visitor: Page, first: str
) -> None:
    second = visitor.context.new_page()
    second.goto(f"{first}lesson.html")
    devtools = visitor.context.new_cdp_session(visitor)
    devtools.send("ServiceWorker.enable")
    devtools.send("ServiceWorker.stopAllWorkers")
    assert [released(visitor), released(second)] == ["first", "another"]


def test_python_is_of_the_release_of_the_page_that_starts_it(visitor: Page, folder: Path) -> None:
    with static_host(folder) as address:
        visitor.goto(f"{address}index.html")
        visitor.evaluate(INSTALLED)
        visitor.goto(f"{address}layer-norm.html")
        (folder / "static/js/python-worker.js").write_text("throw new Error('another')", "utf-8")
        (folder / "runtime/sources.zip").write_bytes(b"another")
        release(folder)
        visitor.evaluate(UPDATE)
        assert len(kept(visitor)) == 2
        ExamplePage(visitor).start()


def test_a_release_of_which_half_is_there_does_not_take_over(visitor: Page, folder: Path) -> None:
    with static_host(folder) as address:
        visitor.goto(f"{address}index.html")
        visitor.evaluate(INSTALLED)
        visitor.reload()
        page = folder / "index.html"
        before = page.read_text("utf-8")
        change(page, TITLE, "Another release")
        release(folder)
        page.write_text(before, "utf-8")  # the host still has the old one
        (old,) = kept(visitor)
        visitor.evaluate(UPDATE)
        visitor.reload()
        expect(visitor.locator("h1")).to_have_text(TITLE)
        wait_for_promise(visitor, ONE_RELEASE)
        assert list(kept(visitor)) == [old]


def test_make_serve_removes_it(visitor: Page, folder: Path) -> None:
    with static_host(folder) as address:
        visitor.goto(f"{address}index.html")
        visitor.evaluate(INSTALLED)
        visitor.reload()
        change(folder / "index.html", TITLE, "While one writes")
        (folder / "service-worker.js").write_text(NO_SERVICE_WORKER, "utf-8")
        visitor.evaluate("navigator.serviceWorker.ready.then((known) => void known.update())")
        expect(visitor.locator("h1")).to_have_text("While one writes", timeout=READY_MS)
        assert kept(visitor) == {}
