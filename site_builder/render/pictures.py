"""A preview picture of each page for shared links: its title and its main equation."""

from collections.abc import Iterable
from dataclasses import dataclass

from site_builder.render.chromium import PrintJob
from site_builder.render.html import Html
from site_builder.resolve.site import PageView, Site
from site_builder.resolve.view import EquationView

WIDTH, HEIGHT = 1200, 630  # the customary size for link previews


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture: its file in the site, what it shows, and its size in pixels."""

    path: str
    alt: str
    width: int = WIDTH
    height: int = HEIGHT


def picture_jobs(site: Site, html: Html, styles: Iterable[str]) -> dict[str, PrintJob]:
    """A job for each picture, by the path of its page. The index page's shows the site."""
    title, description = site.settings.title, site.settings.description
    of_pages = {
        f"{page.slug}.html": (page.title, page.summary, _main_equation(page, site))
        for page in site.pages
    }
    return {
        path: PrintJob(
            path=f"pictures/{path}",
            html=html.render(
                "picture.html",
                site_title=title,
                title=heading,
                description=summary,
                equation=equation,
                styles=[f"../{style}" for style in styles],
            ),
            width=WIDTH,
            height=HEIGHT,
        )
        for path, (heading, summary, equation) in {
            "index.html": (title, description, None),
            **of_pages,
        }.items()
    }


def pictures(site: Site) -> dict[str, Picture]:
    """The pictures that result from those jobs, by the path of their page."""
    found = {"index.html": Picture(path="pictures/index.png", alt=site.settings.title)}
    for page in site.pages:
        equation = _main_equation(page, site)
        caption = f", and an equation: {_plain(equation)}" if equation else ""
        path = f"pictures/{page.slug}.png"
        found[f"{page.slug}.html"] = Picture(path=path, alt=f"{page.title}{caption}")
    return found


def _main_equation(page: PageView, site: Site) -> EquationView | None:
    """The first equation that is the result of a function, else the first."""
    results = {equation.id for equation in site.equations if equation.result_of}
    views = [view.equation for view in page.blocks if view.equation]
    return next((view for view in views if view.id in results), views[0] if views else None)


def _plain(equation: EquationView) -> str:
    children = (child for token in equation.caption.tokens for child in token.children or [token])
    return "".join(child.content for child in children)
