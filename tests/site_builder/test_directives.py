"""What every directive must say of itself."""

import inspect
from dataclasses import fields, is_dataclass

import pytest

from site_builder import directives
from site_builder.directives import DIRECTIVES
from site_builder.resolve.view import View

# Views with an id that the search finds by something else.
FOUND_OTHERWISE = {
    "AliasView": "the id is an old one",
    "ListingView": "each function of the code has a record",
    "EditableCodeView": "likewise",
}


def views() -> list[type[View]]:
    modules = [getattr(directives, name) for name in vars(directives)]
    found = {
        member
        for module in filter(inspect.ismodule, modules)
        for member in vars(module).values()
        if inspect.isclass(member) and issubclass(member, View) and not inspect.isabstract(member)
    }
    return sorted(found, key=lambda view: view.__name__)


def test_there_is_a_view_for_nearly_every_directive() -> None:
    shared = {"step": "equation", "variables": "shapes"}
    assert len(views()) >= len(DIRECTIVES) - len(shared)


@pytest.mark.parametrize("view", views())
def test_what_has_an_id_is_found_by_the_search(view: type[View]) -> None:
    assert is_dataclass(view)
    has_id = "id" in {field.name for field in fields(view)}
    says_so = view.records is not View.records
    assert says_so == (has_id and view.__name__ not in FOUND_OTHERWISE) or (
        not has_id and says_so  # such as a table, whose rows have ids
    )


@pytest.mark.parametrize("view", views())
def test_a_notebook_has_it_in_some_form(view: type[View]) -> None:
    assert view.markdown is not View.markdown
