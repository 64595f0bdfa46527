from types import FunctionType
from typing import cast

import pytest

from eqcheck import observing
from tests.eqcheck import subject


def plain(function: object) -> FunctionType:
    return cast("FunctionType", function)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (subject.make_closure(1), "closes over"),
        (subject.generates, "does not run in one go"),
        (subject.waits, "does not run in one go"),
    ],
)
def test_what_cannot_be_observed_is_refused(function: object, why: str) -> None:
    code = plain(subject.inner).__code__
    with (
        pytest.raises(ValueError, match=why),
        observing([plain(subject.inner), plain(function)]),
    ):
        pass
    assert plain(subject.inner).__code__ is code


def test_functions_without_source_are_refused() -> None:
    names: dict[str, FunctionType] = {}
    exec("def written(x):\n    return x\n", names)  # noqa: S102 - code that no file holds
    with pytest.raises(ValueError, match="cannot be read"), observing([names["written"]]):
        pass
