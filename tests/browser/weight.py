"""How much of the site a browser fetches for a page: `python -m tests.browser.weight` prints it."""

import gzip
import math
import os
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Response, sync_playwright

from site_builder.cache import Cache
from site_builder.pipeline import build
from site_builder.read.runtime import find_runtime
from site_builder.render.chromium import find_browser
from site_builder.write.folder import write_folder
from tests.browser.static_host import PREFIX, static_host
from tests.chromium import arguments, find_chromium

ROOT = Path(__file__).parent.parent.parent
BUDGETS = Path(__file__).with_name("budgets.toml")
CAP = 150_000  # bytes: what design.md allows a page before Python starts
_ROOM, _STEP = 1.02, 500  # a budget is a little above what was measured


def pages_of(folder: Path) -> list[str]:
    """The pages of a built site. Source pages differ in text alone: the largest is among them."""
    sources = sorted((folder / "source").rglob("*.html"), key=lambda file: file.stat().st_size)
    files = [*sorted(folder.glob("*.html")), *sources[-1:]]
    return [file.relative_to(folder).as_posix() for file in files]


def weights(browser: Browser, address: str, path: str) -> dict[str, int]:
    """Bytes of each file that a first visit fetches when the reader does nothing.

    Text counts as `gzip -9` makes it. What a service worker fetches afterwards, to keep the whole
    site, does not count: it is blocked.
    """
    context = browser.new_context(viewport={"width": 1440, "height": 900}, service_workers="block")
    page = context.new_page()
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))  # noqa: PLW0108 - it must take an attribute
    page.goto(address + path)
    if page.locator("script[src$='/page.js']").count():  # imports more later on
        page.wait_for_load_state("networkidle")
    found = {
        urlsplit(response.url).path.removeprefix(f"{PREFIX}/"): compressed(response.body())
        for response in responses
    }
    context.close()
    return found


def compressed(body: bytes) -> int:
    """The size that a host sends; what does not shrink is sent as it is."""
    return min(len(body), len(gzip.compress(body, 9, mtime=0)))


def budget_of(path: str) -> str:
    """The key of a page's budget, which all source pages share."""
    return "source/*" if path.startswith("source/") else path


def budgets(measured: Mapping[str, int]) -> str:
    """Budgets for what was measured, as the file has them."""
    most: dict[str, int] = {}
    for path, size in sorted(measured.items()):
        most[budget_of(path)] = max(size, most.get(budget_of(path), 0))
    lines = [f'"{key}" = {math.ceil(size * _ROOM / _STEP) * _STEP:_}' for key, size in most.items()]
    return "\n".join([_HEADING, *lines, ""])


_HEADING = """\
# Bytes that a first visit to a page may fetch before Python starts, fonts included, with gzip -9.
# A test fails where a page is heavier. `python -m tests.browser.weight` writes this file anew, with
# two per cent of room above what it measures."""


def main() -> None:
    """Measure every page of the site as it is now, and write the budgets."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        cache = Cache(ROOT / ".cache" / "site")
        site = build(ROOT, find_runtime(os.environ), cache, find_browser(os.environ))
        dist = Path(folder) / "dist"
        write_folder(dist, site.files)
        launch = partial(playwright.chromium.launch, args=arguments())
        browser = launch(executable_path=find_chromium())
        with static_host(dist) as address:
            measured = {
                path: sum(weights(browser, address, path).values()) for path in pages_of(dist)
            }
        browser.close()
    BUDGETS.write_text(budgets(measured), "utf-8")


if __name__ == "__main__":
    main()
