"""What can be wrong with an equation, and where."""


class EquationError(ValueError):
    """Something is wrong with an equation.

    Attributes:
        message: what is wrong, without the place.
        position: 0-based offset in the LaTeX of the first character concerned.
    """

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message, position)
        self.message = message
        self.position = position

    def __str__(self) -> str:
        return f"{self.message} (at character {self.position + 1})"

    def show(self, latex: str) -> str:
        """The line of `latex` that is wrong, a caret under the place, and the message."""
        start = latex.rfind("\n", 0, self.position) + 1
        line = latex[start:].split("\n", 1)[0]
        return f"{line}\n{' ' * (self.position - start)}^ {self.message}"


class LatexError(EquationError):
    """LaTeX that cannot be read as an equation."""


class AxisError(EquationError):
    """Indices that do not fit: they run over different axes, or the sides differ in them."""
