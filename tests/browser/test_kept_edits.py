"""Edits outlast a reload and travel in links, on this device and nowhere else."""

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.cell_page import CodeOnPage, other
from tests.browser.conftest import fresh_page

pytestmark = pytest.mark.browser


def test_edits_survive_a_reload_until_they_are_reset(forward: CodeOnPage) -> None:
    forward.replace("mu = ", "mean = mu = ")
    text = forward.text
    forward.page.reload()
    expect(forward.content).to_contain_text("mean = mu = ")
    assert forward.text == text
    expect(forward.notice).to_contain_text("This is your edit")
    expect(forward.element).to_have_attribute("data-state", "idle")
    forward.button("Reset").click()
    assert "mean = mu" not in forward.text
    forward.page.reload()
    expect(forward.element.locator(".listing .line").first).to_be_visible()
    expect(forward.content).to_have_count(0)


def test_an_edit_of_another_version_is_offered(forward: CodeOnPage) -> None:
    forward.replace("mu = ", "mean = mu = ")
    forward.page.evaluate(
        """() => { for (const [key, kept] of Object.entries(localStorage)) {
             const older = { ...JSON.parse(kept), version: "older" };
             localStorage.setItem(key, JSON.stringify(older)); } }"""
    )
    forward.page.reload()
    expect(forward.notice).to_contain_text("of a version of this code that has changed since")
    assert "mean = mu" not in forward.text
    forward.notice.get_by_role("button", name="Show it").click()
    expect(forward.content).to_contain_text("mean = mu = ")


def test_a_link_carries_edits_and_runs_nothing(browser: Browser, forward: CodeOnPage) -> None:
    forward.replace("return out, cache", "return out, cache  # — für dich")
    other(forward).replace("dxhat = dout * gamma", "dxhat = dout")
    other(forward).button("Copy link").click()
    link = other(forward).element.locator("input").input_value()
    with fresh_page(browser) as (page, errors):
        fetched: list[str] = []
        page.on("request", lambda request: fetched.append(request.url))
        page.goto(link)
        here = CodeOnPage(page, "cell-forward")
        expect(here.content).to_contain_text("# — für dich")
        expect(CodeOnPage(page, "cell-backward").content).to_contain_text("dxhat = dout")
        expect(here.notice).to_contain_text("someone's edit")
        page.wait_for_load_state("networkidle")
        assert not [url for url in fetched if "runtime" in url]
        assert page.evaluate("localStorage.length") == 0
        here.notice.get_by_role("button", name="Reset").click()
        assert "dich" not in here.text
        assert "#code=" not in page.url
        page.reload()  # the other edit was the reader's own from then on
        expect(CodeOnPage(page, "cell-backward").notice).to_contain_text("your edit")
        assert here.text == here.element.evaluate("element => element.data.text")
        assert errors == []


@pytest.mark.parametrize("fragment", ["!!", "AAAA", "eJwDAAAAAAE"])
def test_a_broken_link_is_a_link_to_the_page(page: Page, cells_address: str, fragment: str) -> None:
    page.goto(f"{cells_address}cells.html#code={fragment}")
    cell = CodeOnPage(page, "cell-forward")
    cell.edit()
    assert cell.text == cell.element.evaluate("element => element.data.text")


def test_what_is_kept_is_named_by_page_and_cell(forward: CodeOnPage) -> None:
    forward.replace("/ std", "/ (std + 1)")
    kept = json.loads(
        forward.page.evaluate("localStorage.getItem(`code:${location.pathname}#forward`)")
    )
    assert kept["text"] == forward.text
    assert kept["version"] == forward.element.evaluate("element => element.data.version")
