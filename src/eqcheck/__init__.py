r"""Equations that run: LaTeX index notation compared with what NumPy code computed.

Pure Python and NumPy: it reads no files but the source of the functions it is given, and it runs
the same under CPython and inside Pyodide.

`declare` the page's symbols, say in a `Subject` where the code has their values, run it once with
`observe_samples`, and `check` each display.
"""

from eqcheck.check import breaks_when_moved, check, check_chain, says_something, symbols_at
from eqcheck.compare import Comparison, Outcome, Remark, compare
from eqcheck.errors import AxisError, EquationError, LatexError
from eqcheck.evaluate import Environment, MissingValueError, Occasion, evaluate
from eqcheck.inputs import (
    DeclaredInput,
    InputSet,
    declare_input,
    draw_inputs,
    hard_inputs,
    random_inputs,
)
from eqcheck.named import Named, named
from eqcheck.observe import Activation, Assigned, Caller, observing, snapshot
from eqcheck.parse import parse, parse_expression, with_functions
from eqcheck.printing import to_latex
from eqcheck.sample import Sample, observe_samples
from eqcheck.subject import Subject
from eqcheck.symbols import Symbol, Symbols, declare
from eqcheck.value_place import ValuePlace, element, value_at

__all__ = [
    "Activation",
    "Assigned",
    "AxisError",
    "Caller",
    "Comparison",
    "DeclaredInput",
    "Environment",
    "EquationError",
    "InputSet",
    "LatexError",
    "MissingValueError",
    "Named",
    "Occasion",
    "Outcome",
    "Remark",
    "Sample",
    "Subject",
    "Symbol",
    "Symbols",
    "ValuePlace",
    "breaks_when_moved",
    "check",
    "check_chain",
    "compare",
    "declare",
    "declare_input",
    "draw_inputs",
    "element",
    "evaluate",
    "hard_inputs",
    "named",
    "observe_samples",
    "observing",
    "parse",
    "parse_expression",
    "random_inputs",
    "says_something",
    "snapshot",
    "symbols_at",
    "to_latex",
    "value_at",
    "with_functions",
]
