"""What equations are about: code to run, and where in it each symbol's value is found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType

import numpy as np

from eqcheck.inputs import Inputs
from eqcheck.observe import Activation, observing, snapshot
from eqcheck.value_place import ValuePlace


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    r"""Code that runs, and where in it each symbol's value is found.

    Attributes:
        run: runs the code on one set of inputs, by name.
        functions: those to observe.
        places: for each symbol, by its LaTeX, where its value is found.
        inputs: for each symbol that is an input of `run`, the input's name. Derivatives with
            respect to these symbols run the code; those with respect to others go through the
            definitions.
        definitions: displays whose equations define their left sides. `Y_{ti} = …` says how Y
            depends on what stands there; `L = \sum_{t}\sum_{i} dY_{ti} Y_{ti}` defines an L that
            no code computes.
        expressions: subexpressions among the places, by function, as `observing` takes them.
    """

    run: Callable[[Inputs], object]
    functions: tuple[FunctionType, ...]
    places: Mapping[str, ValuePlace]
    inputs: Mapping[str, str]
    definitions: tuple[str, ...] = ()
    expressions: Mapping[FunctionType, frozenset[str]] = field(default_factory=dict)


Run = tuple[Activation[object], ...]


def observe_each(subject: Subject, many: Sequence[Inputs]) -> list[Run]:
    """Run the code on each of many inputs, and record what its functions computed.

    NumPy's warnings are off: numbers that are none show in the values.
    """
    runs = []
    wanted = {
        function: frozenset(
            place.name
            for place in subject.places.values()
            if place.function == f"{function.__module__}.{function.__qualname__}"
        )
        for function in subject.functions
    }
    observed = observing(
        subject.functions, snapshot=snapshot, expressions=subject.expressions, names=wanted
    )
    with np.errstate(all="ignore"), observed as activations:
        for inputs in many:
            subject.run(inputs)
            runs.append(tuple(activations))
            activations.clear()
    return runs
