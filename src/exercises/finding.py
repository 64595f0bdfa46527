"""What a check found, and the comparison of two arrays in words."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tinygpt.arrays import Array

TOLERANCE = 1e-9  # of an entry, in relation to its size or to 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One property of an answer, and whether the answer has it.

    Attributes:
        property: what is asked, such as `dx`.
        where: the input and the entry where it fails, or the line that raised an error.
        expected: what should be there.
        got: what is there.
        hint: what usually causes this.
    """

    property: str
    holds: bool
    where: str = ""
    expected: str = ""
    got: str = ""
    hint: str = ""


def close(
    name: str, got: object, expected: Array | float, tolerance: float = TOLERANCE, on: str = ""
) -> Finding:
    """Whether an answer is the expected number or array: its kind, shape, and then every entry.

    Args:
        name: the property.
        got: what the reader's function returned, whatever that is.
        expected: what it should have returned.
        tolerance: how far an entry may be off, in relation to its size or to 1.
        on: the input it was computed from, in words.
    """
    wanted = np.asarray(expected, dtype=np.float64)
    found = numbers(got)
    if found is None:
        hint = "Does the function end with return?" if got is None else ""
        return _differs(name, on, _kind(wanted), _describe(got), hint)
    if found.shape != wanted.shape:
        return _differs(name, on, _kind(wanted), _kind(found), _shape_hint(found, wanted))
    off = np.abs(found - wanted) / np.maximum(1.0, np.abs(wanted))
    off = np.where(np.isfinite(off), off, np.inf)
    if not (off > tolerance).any():
        return Finding(property=name, holds=True)
    worst = np.unravel_index(off.argmax(), off.shape)
    index = ", ".join(str(int(i)) for i in worst)
    where = ", ".join(filter(None, [on, f"entry [{index}]" if index else ""]))
    return _differs(name, where, *_told_apart(wanted[worst], found[worst]))


def _told_apart(a: float, b: float) -> tuple[str, str]:
    """Both numbers, with as many digits as it takes to see that they differ."""
    return next(
        pair
        for digits in (6, 9, 12, 17)
        if (pair := (f"{a:.{digits}g}", f"{b:.{digits}g}"))[0] != pair[1]
    )


def numbers(value: object) -> Array | None:
    """The value as an array of real numbers, if it is one."""
    try:
        array = np.asarray(value)
    except Exception:  # noqa: BLE001 - a reader's object may raise anything
        return None
    return array.astype(np.float64) if array.dtype.kind in "fiub" else None


def _differs(name: str, where: str, expected: str, got: str, hint: str = "") -> Finding:
    return Finding(property=name, holds=False, where=where, expected=expected, got=got, hint=hint)


def _kind(array: Array) -> str:
    return f"an array of shape {array.shape}" if array.ndim else "one number"


def _describe(value: Any) -> str:  # noqa: ANN401 - a reader's function may return anything
    if value is None:
        return "nothing (None)"
    if isinstance(value, tuple | list):
        return f"a {type(value).__name__} of {len(value)}"
    return f"a {type(value).__name__}"


def _shape_hint(found: Array, wanted: Array) -> str:
    if found.ndim == wanted.ndim + 1 and found.size == wanted.size:
        return "An axis of size 1 is left: keepdims=True keeps it."
    if found.size < wanted.size:
        return "A sum or mean ran over an axis too many, or over another one."
    return ""
