"""Wait for what a script answers later.

`Page.wait_for_function` takes a promise for an answer that is true, and does not wait.
"""

import time

from playwright.sync_api import Page

LIMIT = 60  # seconds
_PAUSE_MS = 50


def wait_for_promise(page: Page, script: str, arg: object = None) -> None:
    """Ask again and again until the promise that a script gives resolves with something true."""
    end = time.monotonic() + LIMIT
    while not page.evaluate(script, arg):
        assert time.monotonic() < end, f"not within {LIMIT} s: {script}"
        page.wait_for_timeout(_PAUSE_MS)
