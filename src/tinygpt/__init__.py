"""A small character-level GPT written in NumPy, to be read aloud.

Every operation has a forward and a hand-derived backward function side by side (`ops`,
`attention`); `transformer` composes them into a pre-LN model; `train` fits it to a corpus that a
small grammar wrote, and `generate` samples from it. A layer sees one sequence, shape (T, d): there
is no batch axis. `python -m tinygpt.train` runs it all.
"""
