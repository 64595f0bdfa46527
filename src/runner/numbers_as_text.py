"""Numbers as a page shows them, and the difference between two results."""

import math
from collections.abc import Mapping

import numpy as np

from runner.protocol import ValueTable

_SMALLEST, _LARGEST = 1e-4, 1e9  # the range in which four decimals suffice


def format_number(number: float) -> str:
    """Four decimals without trailing zeros; scientific notation for very small or large numbers."""
    magnitude = abs(number)
    if not math.isfinite(number):
        return str(number)
    if magnitude != 0 and not _SMALLEST <= magnitude < _LARGEST:
        mantissa, _, exponent = f"{number:.{1 if magnitude < 1 else 4}e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
    text = f"{number:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def largest_difference(first: Mapping[str, ValueTable], second: Mapping[str, ValueTable]) -> str:
    """The largest difference between two results of `run_example`."""
    differences = [
        _difference(float(a), float(b))
        for key in first
        for a, b in zip(first[key]["numbers"], second[key]["numbers"], strict=True)
    ]
    return format_number(float(np.max(differences, initial=0.0)))  # unlike max, propagates NaN


def _difference(a: float, b: float) -> float:
    same = a == b or (np.isnan(a) and np.isnan(b))
    return 0.0 if same else abs(a - b)


def distinct_texts(left: float, right: float) -> tuple[str, str]:
    """Two numbers, with enough digits to show that they differ."""
    for digits in (4, 7, 10):
        texts = f"{left:.{digits}g}", f"{right:.{digits}g}"
        if texts[0] != texts[1]:
            return texts
    return repr(left), repr(right)
