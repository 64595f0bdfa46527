"""What examples, figures and traces share: the values of their run, and what the browser needs."""

import json
from typing import Any

from runner.protocol import ValueTable
from site_builder.observe.run import wanted
from site_builder.read.anchors import CodePlace
from site_builder.read.live import Live
from site_builder.resolve.context import Context
from site_builder.resolve.example_views import NumbersView

Values = dict[str, ValueTable]


def recorded(found: Live, context: Context) -> Values | None:
    """The recorded values by anchor; None where the code could not be run."""
    return context.facts.observation.examples.get(found.run)


def run_data(found: Live, context: Context) -> str | None:
    """What the browser needs to run the program again; None where the page has it already."""
    if found.run in context.programs:
        return None
    context.programs.add(found.run)
    together = [
        other
        for other in context.facts.live.values()
        if (other.run, other.place.path) == (found.run, found.place.path)
    ]
    places = {place.anchor: place for other in together for place in other.observed()}
    values = context.facts.observation.examples[found.run]
    return json.dumps(
        {
            "program": found.program.dotted,
            "inputs": as_texts(found.starts),
            "wanted": [wanted(place) for place in places.values()],
            "recorded": {anchor: values[anchor] for anchor in places},
            "environment": context.facts.observation.environment,
        }
    )


def as_texts(value: Any) -> Any:  # noqa: ANN401 - nested lists of any depth
    """Numbers as a person would type them: 1.0 becomes 1."""
    if isinstance(value, list):
        return [as_texts(item) for item in value]
    if isinstance(value, dict):
        return {name: as_texts(item) for name, item in value.items()}
    return repr(float(value)).removesuffix(".0")


def numbers_view(place: CodePlace, label: str, values: Values, context: Context) -> NumbersView:
    """An observed array as rows of numbers."""
    value = values[place.anchor]
    shape = tuple(value["shape"])
    width = shape[-1] if shape else 1
    texts = value["texts"]
    return NumbersView(
        key=place.anchor,
        shape=shape,
        rows=tuple(tuple(texts[i : i + width]) for i in range(0, len(texts), width)),
        label=label,
        symbol=context.links.of_value(place),
    )
