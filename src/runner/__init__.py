"""Run the code that the site explains, and readers' edits of it.

The builder runs this package in a separate process (`python -m runner`); the browser imports
`runner.browser` in Pyodide. It needs NumPy and eqcheck. The builder imports only `protocol`, which
defines requests and answers, and `mentions`.
"""
