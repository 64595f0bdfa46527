"""Where the PDF of all pages breaks: no holes, and nothing apart that belongs together."""

from itertools import pairwise
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader

pytestmark = pytest.mark.browser

FOOT = 60  # points from the lower edge: below are page numbers
FULL = 180  # what reaches below this leaves no hole
Line = tuple[int, str]


@pytest.fixture(scope="module")
def sheets(site_folder: Path) -> list[list[Line]]:
    """The lines of each page: how far above the lower edge each stands, and its text."""
    (file,) = site_folder.glob("*.pdf")
    return [_lines(page) for page in PdfReader(file).pages]


def _lines(page: PageObject) -> list[Line]:
    found: dict[int, str] = {}

    def see(text: str, cm: list[float], tm: list[float], _font: object, _size: object) -> None:
        height = round(tm[4] * cm[1] + tm[5] * cm[3] + cm[5])
        if text.strip() and height > FOOT:
            found[height] = f"{found.get(height, '')} {text}"

    page.extract_text(visitor_text=see)
    return [(height, " ".join(found[height].split())) for height in sorted(found, reverse=True)]


def test_an_equation_with_many_rows_leaves_no_hole(sheets: list[list[Line]]) -> None:
    head = "Equation Role Line Code"
    continued = [number for number, lines in enumerate(sheets) if lines and lines[0][1] == head]
    assert continued, "no table of equations and lines goes on over a page"
    ends = [sheets[number - 1][-1] for number in continued]
    assert [end for end in ends if end[0] > FULL] == []


def test_the_name_of_a_table_stands_above_it(sheets: list[list[Line]]) -> None:
    head = "Value Line Shape Computed from"
    names = {above for lines in sheets for (_, above), (_, text) in pairwise(lines) if text == head}
    assert {"layer_norm_forward", "layer_norm_backward"} <= names
    assert [lines[-1] for lines in sheets if lines and lines[-1][1] in names] == []


def test_the_way_there_and_back_stand_beside_each_other(sheets: list[list[Line]]) -> None:
    titles = [text for lines in sheets for _, text in lines if text.startswith("↓")]
    assert titles[0].startswith("↓ layer_norm_forward ops.py:")
    assert "↑ layer_norm_backward ops.py:" in titles[0]
