"""The pages of the site, which tests of every page look at."""

from playwright.sync_api import Page

CONTENT = ("layer-norm.html", "lesson.html", "laboratory.html")
SOURCES = ("source/ops.html", "source/transformer.html")  # all others are made as these are
PAGES = ("index.html", *CONTENT, *SOURCES, "freshness.html", "404.html")

_LAY_OUT = """() => new Promise((resolve) => {
  const passages = document.querySelectorAll(".passage");
  for (const { style } of passages) style.contentVisibility = "visible";
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
})"""


def lay_out(page: Page) -> None:
    """Have all of a page laid out, as it is for a reader who has gone through it."""
    page.evaluate(_LAY_OUT)
