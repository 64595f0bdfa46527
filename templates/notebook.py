# How this notebook sees what happens inside functions, and compares it with the page.
import inspect
import sys
from contextlib import suppress
from copy import deepcopy

import numpy as np


def watch_run(program, inputs, wanted):
    """Call program(**inputs) and pick values out of the first call of each function.

    wanted says by label what to pick: a function, an expression over its variables, and when it has
    that value: "called", "returned", or "before" or "after" its lines from one number to another,
    counted from 0.
    """
    picked, entered = {}, set()

    def enter(frame, *_):
        """The tracer of a call, if it is the first of a function that something is wanted of."""
        items = {
            label: item
            for label, (function, *item) in wanted.items()
            if inspect.unwrap(function).__code__ is frame.f_code
        }
        if not items or frame.f_code in entered:
            return None
        entered.add(frame.f_code)
        last = -1  # the line before

        def pick(label, expression, **more):
            if label not in picked:
                with suppress(NameError, LookupError):  # not there yet
                    value = eval(expression, {**frame.f_globals, **frame.f_locals, **more})
                    picked[label] = deepcopy(value)

        def follow(frame, event, result):
            nonlocal last
            line, ends = frame.f_lineno - frame.f_code.co_firstlineno, event == "return"
            for label, (expression, when, *lines) in items.items():
                was, now = (bool(lines) and lines[0] <= n <= lines[1] for n in (last, line))
                moment = "before" if now and not was else "after" if was and not now else ""
                if ends and when == "returned":
                    pick(label, f"_result{expression.removeprefix('return')}", _result=result)
                elif ends or when == moment:
                    pick(label, expression)
            last = line
            return follow

        for label, (expression, when, *_) in items.items():
            if when == "called":
                pick(label, expression)
        return follow

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        with np.errstate(all="ignore"):
            program(**inputs)
    finally:
        sys.settrace(before)
    return {label: picked[label] for label in wanted}


def show_values(values):
    """Print values by their labels."""
    for label, value in values.items():
        text = np.array2string(np.asarray(value), precision=4, separator=", ", max_line_width=96)
        print(f"{label}:" + (f"\n{text}" if "\n" in text else f" {text}"))


def compare_with_page(values, recorded):
    """Each value must be what the page shows, but for rounding."""
    for label, expected in recorded.items():
        value = values[label]
        fits = np.shape(value) == np.shape(expected)
        assert fits, (
            f"{label} has the shape {np.shape(value)}, but on the page {np.shape(expected)}"
        )
        assert np.allclose(value, expected, equal_nan=True), (
            f"{label} is {value}, but the page shows {expected}"
        )
    print(f"As on the page: {', '.join(recorded)}")
