"""What a figure is drawn from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A kind of figure, and as JSON its values by the names that the figure uses."""

    kind: str
    values: str
