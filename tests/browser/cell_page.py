"""What a reader does with cells and exercises."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.example_page import READY_MS


class CodeOnPage:
    """One cell or exercise."""

    def __init__(self, page: Page, id_: str) -> None:
        self.page = page
        self.element = page.locator(f"#{id_}")

    def button(self, label: str) -> Locator:
        return self.element.locator(".buttons").get_by_role("button", name=label, exact=True)

    @property
    def content(self) -> Locator:
        return self.element.locator(".cm-content")

    @property
    def text(self) -> str:
        text: str = self.element.evaluate(
            "element => customElements.whenDefined(element.localName).then(() => element.text)"
        )
        return text

    def edit(self) -> None:
        self.button("Edit").click()
        expect(self.content).to_be_focused()

    def type_all(self, text: str) -> None:
        """Replace the whole text, as by a paste."""
        if not self.content.count():
            self.edit()
        self.content.focus()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def replace(self, old: str, new: str) -> None:
        text = self.text
        assert text.count(old) == 1
        self.type_all(text.replace(old, new))

    def run(self) -> None:
        """Run by keyboard, and wait for the answer."""
        self.page.keyboard.press("Control+Enter")
        self.wait()

    def wait(self) -> None:
        expect(self.element).to_have_attribute("data-state", "ready", timeout=READY_MS)

    @property
    def output(self) -> Locator:
        return self.element.locator(".cell-output")

    @property
    def failure(self) -> Locator:
        return self.element.locator(".cell-failure")

    @property
    def status(self) -> Locator:
        return self.element.locator(".status-text")

    @property
    def notice(self) -> Locator:
        return self.element.locator(".cell-notice")


def other(forward: CodeOnPage) -> CodeOnPage:
    """The second cell of the page that the first one is on."""
    return CodeOnPage(forward.page, "cell-backward")
