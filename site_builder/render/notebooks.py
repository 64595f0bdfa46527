"""Each page as a self-contained Jupyter notebook: nbformat 4.5, as Jupyter writes it."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from site_builder.cache import Cache, fingerprint
from site_builder.observe.verdicts import Verdict
from site_builder.problem import Place, Report
from site_builder.read.definitions import Definitions, NotSelfContainedError
from site_builder.resolve.notebook import Cell, Notebook, cell_ids, markdown
from site_builder.resolve.site import PageView, Site

_HELPERS = "templates/notebook.py"


def compose(
    root: Path, site: Site, verdicts: dict[str, Verdict], cache: Cache, report: Report
) -> dict[str, list[Cell]]:
    """The cells of the notebooks by the path of the page; a page may have none.

    Code that cannot run in a notebook is reported.
    """
    definitions = Definitions(site.codebase)
    helpers = (root / _HELPERS).read_text("utf-8").strip()
    notebooks = {}
    for page in site.pages:
        if page.has_notebook:
            own = {e.id: verdicts.get(e.id) for e in site.equations if e.slug == page.slug}
            key = fingerprint(page.key, helpers, repr(own))
            notebook = Notebook(
                f"{page.slug}.html",
                definitions,
                site.links,
                verdicts,
                site.settings.address,
                helpers,
            )
            try:
                notebooks[page.path] = cache.computed(
                    f"cells-{page.slug}", key, partial(_cells_of, page, notebook, site)
                )
            except NotSelfContainedError as error:
                what = f"this page cannot be a notebook: {error}"
                remedy = "rename it, or write 'notebook: no' in the front matter"
                report.add(Place(path=page.path, line=1), what, remedy)
    return notebooks


def _cells_of(page: PageView, notebook: Notebook, site: Site) -> list[Cell]:
    return [
        markdown(_title(page, notebook, site)),
        *(cell for view in page.blocks for cell in view.cells(notebook)),
    ]


def _title(page: PageView, notebook: Notebook, site: Site) -> str:
    commit = site.revision.commit
    made = f"commit `{commit[:12]}`" if commit else "files that are not committed"
    where = notebook.link("the page of that name", f"{page.slug}.html")
    return (
        f"# {page.title}\n\n{page.summary}\n\n"
        f"This notebook was made from {where} and from {made}, and run from start to end with"
        f" {site.observation.environment}. It needs nothing but NumPy: the functions"
        " below are the lines of the code itself. ✓ marks what the build checked."
    )


def code_of(notebooks: Mapping[str, list[Cell]]) -> dict[str, list[str]]:
    """The code of each notebook, cell by cell, to be run."""
    return {
        path: [cell.text for cell in cells if cell.kind == "code"]
        for path, cells in notebooks.items()
    }


def notebook_files(
    site: Site,
    notebooks: Mapping[str, list[Cell]],
    outputs: Mapping[str, list[str]],
    report: Report,
) -> dict[str, str]:
    """The files of the notebooks by their path in the site.

    Args:
        site: the site.
        notebooks: their cells by the path of the page.
        outputs: what each code cell printed, by the path of the page.
        report: receives output that differs from the page.
    """
    return {
        f"{page.slug}.ipynb": notebook_file(
            page.path, notebooks[page.path], outputs[page.path], report
        )
        for page in site.pages
        if notebooks.get(page.path)
    }


def notebook_file(path: str, cells: list[Cell], outputs: list[str], report: Report) -> str:
    """The JSON text.

    Args:
        path: the page's.
        cells: all cells.
        outputs: what each code cell printed, in their order.
        report: receives output that differs from the page.
    """
    printed = iter(outputs)
    ids = cell_ids(cells)
    table = {
        "cells": [*_cells(path, cells, ids, printed, report)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return _indented(json.dumps(table, ensure_ascii=False, sort_keys=True))


@lru_cache(maxsize=256)
def _indented(text: str) -> str:
    """JSON as Jupyter writes it. Cached: indenting is slow, and most notebooks do not change."""
    return json.dumps(json.loads(text), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _cells(
    path: str, cells: list[Cell], ids: list[str], printed: Iterator[str], report: Report
) -> Iterator[dict[str, Any]]:
    number = 0
    for cell, id_ in zip(cells, ids, strict=True):
        table: dict[str, Any] = {
            "id": id_,
            "cell_type": cell.kind,
            "metadata": {},
            "source": _lines(cell.text),
        }
        if cell.kind == "code":
            number += 1
            output = next(printed)
            if cell.expected is not None and output.rstrip("\n") != cell.expected:
                what = f"the notebook's '{cell.text}' does not print what the page shows"
                report.add(
                    Place(path=path, line=1), what, "make it print the same each time it is called"
                )
            if cell.folded:
                table["metadata"] = {"jupyter": {"source_hidden": True}}
            stream = {"name": "stdout", "output_type": "stream", "text": _lines(output)}
            table |= {"execution_count": number, "outputs": [stream] if output else []}
        yield table


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
