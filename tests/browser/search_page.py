"""The search of a page, as tests use it."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.example_page import READY_MS

ANSWER_MS = READY_MS  # the first search loads Pagefind


class Search:
    """The search dialog of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.dialog = page.get_by_role("dialog", name="Search this site")
        self.field = page.get_by_role("searchbox")
        self.status = self.dialog.get_by_role("status")
        self.links = self.dialog.locator(".search-result a:visible")

    def open(self) -> None:
        self.page.get_by_role("button", name="Search", exact=True).click()
        expect(self.field).to_be_focused()

    def ask(self, query: str) -> None:
        """Type a query, and wait for what is found."""
        self.field.fill(query)
        expect(self.status).to_have_text(
            re.compile(f"(No|[0-9]+) results? for “{re.escape(query)}”"), timeout=ANSWER_MS
        )

    def group(self, kind: str) -> Locator:
        return self.dialog.get_by_role("region", name=kind)

    def leads(self, links: Locator) -> list[str]:
        """Where links lead, from the top of the site."""
        hrefs: list[str] = links.evaluate_all("all => all.map((link) => link.href)")
        return [re.sub("^[a-z]+://[^/]+/(gpt/)?", "", href) for href in hrefs]
