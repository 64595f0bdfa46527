"""The checks notice every small mistake in every equation of the site."""

import pytest

from tests.mutants import scores

pytestmark = pytest.mark.site


def test_every_mutant_that_says_something_else_is_caught() -> None:
    found = scores()
    assert {score.equation: score.missed for score in found if score.missed} == {}
    assert {score.equation: score.wrongly_listed for score in found if score.wrongly_listed} == {}
    assert all(len(score.caught) >= 10 for score in found)
    assert len(found) >= 16
