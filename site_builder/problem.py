"""Problems in the input, and where they are."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Place:
    """A line of a file; 0 where the whole file is meant. The path is relative to the project."""

    path: str
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Problem:
    """One finding: a place, what is wrong, and what to do about it.

    Attributes:
        path: relative to the project's folder, with forward slashes.
        line: 1-based; 0 where the whole file is meant.
    """

    path: str
    line: int
    what: str
    remedy: str

    def __str__(self) -> str:
        """`path:line: what, and what to do`."""
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.what}; {self.remedy}"


class BuildError(Exception):
    """The input has problems: all of them, sorted by place."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(map(str, self.problems)))


class Report:
    """Collects problems, so that one run names them all."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []
        self._dependent: list[Problem] = []
        self._incomplete = False

    def add(self, at: Place, what: str, remedy: str) -> None:
        """Add a problem."""
        self._problems.append(Problem(path=at.path, line=at.line, what=what, remedy=remedy))

    def add_if_complete(self, at: Place, what: str, remedy: str) -> None:
        """Add a problem that counts only if all the code could be read and run."""
        self._dependent.append(Problem(path=at.path, line=at.line, what=what, remedy=remedy))

    def mark_incomplete(self) -> None:
        """Record that some code could not be read or run, so that names may be missing."""
        self._incomplete = True

    @property
    def is_empty(self) -> bool:
        """Whether no problem has been added."""
        return not (self._problems or self._dependent)

    def extend(self, other: "Report") -> None:
        """Add the problems of another report."""
        self._problems += other._problems  # noqa: SLF001 - of the same class
        self._dependent += other._dependent  # noqa: SLF001
        self._incomplete |= other._incomplete  # noqa: SLF001

    def raise_if_any(self) -> None:
        """End the build if there is any problem.

        Raises:
            BuildError: all problems so far.
        """
        problems = [*self._problems, *([] if self._incomplete else self._dependent)]
        if problems:
            raise BuildError(problems)
