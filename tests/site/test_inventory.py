"""objects.inv, as Sphinx reads it, leads to what the site has."""

import pytest
from sphobjinv import Inventory  # type: ignore[import-untyped]

from tests.site.html import Element, line_text
from tests.site_builder.projects import Project

pytestmark = pytest.mark.site

Addresses = dict[tuple[str, str, str], str]


def addresses(project: Project) -> Addresses:
    """Where each thing is, by domain, role and name."""
    found = Inventory(str(project.root / "dist/objects.inv"))
    return {(item.domain, item.role, item.name): item.uri_expanded for item in found.objects}


@pytest.fixture(scope="module")
def inventory(built_site: Project) -> Addresses:
    return addresses(built_site)


def test_every_address_is_on_the_site(inventory: Addresses, pages: dict[str, Element]) -> None:
    ids = {path: {e.get("id") for e in page} for path, page in pages.items()}
    assert len(inventory) > 200
    for name, address in inventory.items():
        path, _, fragment = address.partition("#")
        assert path in pages, name
        assert not fragment or fragment in ids[path], name


def test_listed_functions_lead_to_their_page(inventory: Addresses) -> None:
    place = inventory["py", "function", "tinygpt.ops.layer_norm_forward"]
    assert place == "layer-norm.html#fn-layer_norm_forward"
    assert inventory["py", "module", "tinygpt.ops"] == "source/ops.html"


def test_others_lead_to_the_line_that_defines_them(
    inventory: Addresses, pages: dict[str, Element]
) -> None:
    expected = {
        ("py", "function", "tinygpt.ops.softmax_forward"): "def softmax_forward(",
        ("py", "method", "tinygpt.optimizer.AdamW.step"): "    def step(",
        ("py", "class", "tinygpt.optimizer.AdamW"): "@dataclass",
    }
    for name, code in expected.items():
        path, _, fragment = inventory[name].partition("#")
        (line,) = [
            line
            for line in pages[path].all("span", "line")
            if any(element.get("id") == fragment for element in line)
        ]
        assert line_text(line).startswith(code)


def test_pages_headings_and_equations_have_names(inventory: Addresses) -> None:
    assert inventory["std", "doc", "layer-norm"] == "layer-norm.html"
    assert inventory["std", "label", "layer-norm:forward"] == "layer-norm.html#forward"
    assert inventory["std", "label", "eq-ln-mean"] == "layer-norm.html#eq-ln-mean"


def test_another_project_has_one_too(tiny: Project) -> None:
    found = Inventory(str(tiny.root / "dist/objects.inv"))
    assert found.project == "Tiny"
    names = addresses(tiny)
    assert names["py", "function", "tiny.ops.centre"] == "small.html#fn-centre"
    assert names["py", "function", "tiny.ops.twice"] == "source/ops.html#fn-twice"
    assert not any(name.startswith("tests") for _, _, name in names)
