"""The built site, parsed once."""

import json
from typing import Any

import pytest

from tests.site.html import Element, parse
from tests.site_builder.projects import Project


@pytest.fixture(scope="session")
def pages(built_site: Project) -> dict[str, Element]:
    """Every HTML file of the site by its path."""
    dist = built_site.root / "dist"
    return {
        file.relative_to(dist).as_posix(): parse(file.read_text("utf-8"))
        for file in sorted(dist.rglob("*.html"))
    }


@pytest.fixture(scope="session")
def page(pages: dict[str, Element]) -> Element:
    """The page on LayerNorm."""
    return pages["layer-norm.html"]


@pytest.fixture(scope="session")
def explain(built_site: Project) -> dict[str, Any]:
    table: dict[str, Any] = json.loads(built_site.read("dist/explain.json"))
    return table
