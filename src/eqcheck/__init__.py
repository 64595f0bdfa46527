r"""Equations that run: LaTeX index notation compared with what NumPy code computed.

Pure Python and NumPy: it reads no files but the source of the functions it is given, and it runs
the same under CPython and inside Pyodide.

`declare` the page's symbols, say in a `Subject` where the code has their values, run it once with
`observe_samples`, and `check` each display.
"""

from eqcheck.check import check, check_chain
from eqcheck.compare import Verdict, compare
from eqcheck.errors import AxisError, EquationError, LatexError
from eqcheck.evaluate import Environment, MissingValueError, evaluate
from eqcheck.inputs import hard_inputs, random_inputs
from eqcheck.named import Named, named
from eqcheck.observe import Activation, Assigned, Caller, observing
from eqcheck.parse import parse, parse_expression
from eqcheck.printing import to_latex
from eqcheck.sample import Sample, observe_samples
from eqcheck.subject import Place, Subject
from eqcheck.symbols import Symbol, Symbols, declare

__all__ = [
    "Activation",
    "Assigned",
    "AxisError",
    "Caller",
    "Environment",
    "EquationError",
    "LatexError",
    "MissingValueError",
    "Named",
    "Place",
    "Sample",
    "Subject",
    "Symbol",
    "Symbols",
    "Verdict",
    "check",
    "check_chain",
    "compare",
    "declare",
    "evaluate",
    "hard_inputs",
    "named",
    "observe_samples",
    "observing",
    "parse",
    "parse_expression",
    "random_inputs",
    "to_latex",
]
