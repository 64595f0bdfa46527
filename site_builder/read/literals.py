"""The literal arrays that a test assigns: the starting values of examples."""

import ast
from collections.abc import Iterable

from site_builder.read.anchors import AnchorError, Anchors
from site_builder.read.code import Function

Numbers = list[float] | list[list[float]] | list[list[list[float]]]


def read_literals(anchors: Anchors, test: Function, names: Iterable[str]) -> dict[str, Numbers]:
    """What a test assigns to each name, as in `X = np.array([[1.0, 2.0]])`.

    Raises:
        AnchorError: a name is not assigned a literal array.
    """
    return {name: _literal(anchors, test, name) for name in names}


def _literal(anchors: Anchors, test: Function, name: str) -> Numbers:
    place = anchors.find(f"{test.dotted}:{name}")
    statement = ast.parse(place.code).body[0] if place.kind == "assignment" else None
    literal = statement.value if isinstance(statement, ast.Assign) else None
    if isinstance(literal, ast.Call) and literal.args:
        literal = literal.args[0]
    try:
        value = ast.literal_eval(literal or "")
    except (ValueError, SyntaxError):
        value = None
    if not isinstance(value, list):
        raise AnchorError(
            f"{test.dotted} does not assign a literal array to '{name}'",
            f"write {name} = np.array([…]) there",
        )
    return value
