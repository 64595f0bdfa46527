"""What a name or an expression may hold while the flow through a function is followed."""

from collections.abc import Iterable

Origins = frozenset[str]  # the nodes of a graph from which a value comes
Value = Origins | tuple["Value", ...]  # of a tuple that the code writes, part by part
Names = dict[str, Value]

NOTHING: Origins = frozenset()


class UnmappableError(Exception):
    """Code whose flow cannot be followed, and where it is."""

    def __init__(self, path: str, line: int, what: str, remedy: str) -> None:
        super().__init__(what)
        self.path = path
        self.line = line
        self.what = what
        self.remedy = remedy


def flat(value: Value) -> Origins:
    """All origins of a value."""
    return value if isinstance(value, frozenset) else union(value)


def union(values: Iterable[Value]) -> Origins:
    """All origins of several values."""
    return NOTHING.union(*map(flat, values))


def either(first: Value, second: Value) -> Value:
    """What may be one or the other."""
    if isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second):
        return tuple(map(either, first, second))
    return flat(first) | flat(second)


def merged(ways: Iterable[Names]) -> Names:
    """What names hold where several ways through the code meet."""
    names: Names = {}
    for way in ways:
        for name, value in way.items():
            names[name] = either(names[name], value) if name in names else value
    return names
