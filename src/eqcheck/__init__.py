"""Watch real NumPy functions run: every variable, after each line that assigns it.

Pure Python and NumPy: it reads no files but the source of the functions it is given, and it runs
the same under CPython and inside Pyodide.
"""

from eqcheck.observe import Activation, Assigned, Caller, observing

__all__ = ["Activation", "Assigned", "Caller", "observing"]
