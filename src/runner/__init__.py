"""Run the code that the site explains, and what readers make of it.

The builder starts this package as a process of its own (`python -m runner`); the browser imports
`runner.browser` in Pyodide. It needs NumPy and eqcheck. `protocol` holds the requests and answers,
and is all of it, with `mentions`, that the builder imports.
"""
