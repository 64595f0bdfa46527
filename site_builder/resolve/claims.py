"""Claims: sentences whose conditions the build evaluates on facts about the code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from site_builder.observe.observation import Observation
from site_builder.observe.requests import ProgramRun
from site_builder.problem import Place, Report
from site_builder.read.anchors import AnchorError, Anchors, stores
from site_builder.read.calls import Call
from site_builder.read.code import Function
from site_builder.read.codebase import Codebase
from site_builder.read.page import Fence, Heading, Page, Prose
from site_builder.resolve.conditions import ConditionError, Fact, Namespace
from site_builder.resolve.text_views import Text


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedClaim:
    """A sentence whose condition holds."""

    sentence: Text
    markdown: str
    condition: str
    slug: str
    place: Place


_RESULT = re.compile(r"""\bresult\(\s*["']([\w.]+)["']\s*\)""")


def programs_asked(page: Page, anchors: Anchors, report: Report) -> Iterator[ProgramRun]:
    """The programs whose results a page's conditions use, as in `result("f")`."""
    for block in page.blocks:
        for text, at in _texts(block):
            for match in _RESULT.finditer(text):
                try:
                    program = anchors.function(match[1])
                except AnchorError:
                    continue  # the condition itself is reported
                if needed := program.required:
                    what = f"{program.dotted} cannot run on its own: it needs {', '.join(needed)}"
                    report.add(at, what, "name a function without parameters")
                else:
                    yield ProgramRun(program=program)


def _texts(block: Prose | Heading | Fence) -> Iterator[tuple[str, Place]]:
    if isinstance(block, Fence):
        yield block.argument, block.place
        for line in block.body:
            yield line.text, line.place
    elif isinstance(block, Prose):
        for token in block.tokens:
            number = block.place.line + (token.map or [0])[0] + 1
            yield token.content, Place(path=block.place.path, line=number)


def condition_namespace(
    codebase: Codebase, anchors: Anchors, observation: Observation
) -> Namespace:
    """The names that conditions may use. docs/authoring.md explains each."""

    def function(name: object) -> Fact:
        return _function(_find(anchors, name), codebase)

    def calls(name: object) -> list[Fact]:
        found = _find(anchors, name)
        return [_call(call, found) for call in codebase.source_calls_of(found.dotted)]

    def field(name: object) -> Fact:
        try:
            found = anchors.field(str(name))
        except AnchorError as error:
            raise ConditionError(error.what) from None
        readers = sorted({read.reader.dotted for read in codebase.readers_of(found)})
        return Fact({"name": found.name, "default": found.default, "readers": readers})

    def has(anchor: object) -> bool:
        try:
            anchors.find(str(anchor))
        except AnchorError:
            return False
        return True

    return {
        "calls": calls,
        "code": partial(_code, anchors),
        "config": Fact(
            {
                run.attributes[symbol]: size
                for run, *_ in observation.studies
                for symbol, size in run.dimensions.items()
            }
        ),
        "field": field,
        "function": function,
        "has": has,
        "params": Fact(_parameters(observation)),
        "result": partial(_result, anchors, observation),
        "shape": partial(_named_shape, anchors, observation),
    }


def _code(anchors: Anchors, anchor: object) -> str:
    """The source text at an anchor, on one line."""
    try:
        return " ".join(anchors.find(str(anchor)).code.split())
    except AnchorError as error:
        raise ConditionError(error.what) from None


def _result(anchors: Anchors, observation: Observation, name: object) -> object:
    """The result of a function without parameters."""
    program = _find(anchors, name)
    if program.dotted not in observation.printed:
        raise ConditionError(f"'{name}' was not run; write its name out, between quotes")
    return observation.printed[program.dotted]["result"]


def _find(anchors: Anchors, name: object) -> Function:
    try:
        return anchors.function(str(name))
    except AnchorError as error:
        raise ConditionError(error.what) from None


def _function(function: Function, codebase: Codebase) -> Fact:
    return Fact(
        {
            "name": function.qualname,
            "parameters": [parameter.name for parameter in function.parameters],
            "stores": stores(function.node),
            "defaults": Fact({p.name: p.default for p in function.parameters}),
            "called_by": sorted(
                {call.caller.qualname for call in codebase.source_calls_of(function.dotted)}
            ),
            "tested_by": sorted(
                {call.caller.qualname for call in codebase.test_calls_of(function.dotted)}
            ),
        }
    )


def _call(call: Call, function: Function) -> Fact:
    """A call: where it is, and the arguments by parameter name."""
    passed = {
        parameter.name: call.passed(parameter.name, position)
        for position, parameter in enumerate(function.parameters)
    }
    return Fact({**passed, "caller": call.caller.qualname, "targets": list(call.targets)})


def _parameters(observation: Observation) -> dict[str, object]:
    return {
        name: Fact(
            {
                "shape": shape,
                "ndim": len(shape),
                "starts": observation.starts[name],
                "decays": name in observation.decayed,
            }
        )
        for name, shape in observation.runs[0].parameters.items()
    }


def _named_shape(anchors: Anchors, observation: Observation, anchor: object) -> list[object]:
    """The sizes of an array as configured, such as `[16, 32]`."""
    try:
        place = anchors.find(str(anchor))
    except AnchorError as error:
        raise ConditionError(error.what) from None
    shapes = observation.shapes_at(place)
    if not shapes or not isinstance(shapes[0], list):
        raise ConditionError(f"'{anchor}' was not computed, or is not an array")
    return [*shapes[0]]
