"""Read `{example}` directives: a program, its inputs, and what to show of a run."""

import ast
from dataclasses import dataclass

from site_builder.problem import Report
from site_builder.read.anchors import AnchorError, Anchors
from site_builder.read.live import Live, read_option, read_rows
from site_builder.read.page import Directive, Option, Page, Place
from site_builder.read.starts import Numbers, read_starts


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """Named numbers for some of the inputs."""

    name: str
    values: dict[str, Numbers]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example(Live):
    """An example on a page.

    Attributes:
        edit: the inputs that can be edited here.
        resize: the dimensions whose size can be changed here.
        columns: headings of the results, or empty for the plain form.
    """

    title: str
    note: str
    edit: tuple[str, ...]
    resize: tuple[str, ...]
    presets: tuple[Preset, ...]
    columns: tuple[str, ...]


def read_examples(pages: list[Page], anchors: Anchors, report: Report) -> dict[Place, Example]:
    """The examples of all pages, by the place of their directive."""
    examples = {}
    directives = [b for page in pages for b in page.blocks if isinstance(b, Directive)]
    for directive in directives:
        if directive.name == "example":
            try:
                examples[directive.place] = _read(directive, anchors, report)
            except AnchorError as error:
                place = directive.place
                report.add_dependent(place.path, place.line, error.what, error.remedy)
    return examples


def _read(directive: Directive, anchors: Anchors, report: Report) -> Example:
    program = anchors.function(read_option(directive, "program"))
    source = anchors.function(read_option(directive, "values"))
    names = [parameter.name for parameter in program.parameters]
    starts = read_starts(anchors, source, names)
    edit = tuple(read_option(directive, "edit", "").split())
    at = directive.place
    for name in edit:
        if name not in starts:
            what = f"{program.dotted} has no input '{name}'"
            report.add(at.path, at.line, what, f"use some of {', '.join(names)}")
    columns = tuple(map(str.strip, read_option(directive, "columns", "").split("|")))
    presets = [option for option in directive.options if option.name == "preset"]
    return Example(
        id=directive.argument,
        title=read_option(directive, "title"),
        note=read_option(directive, "note", ""),
        program=program,
        source=source,
        starts=starts,
        edit=edit,
        resize=tuple(read_option(directive, "resize", "").split()),
        presets=tuple(p for option in presets if (p := _preset(option, starts, report))),
        columns=columns if columns != ("",) else (),
        rows=read_rows(directive.body, anchors, report),
        place=at,
    )


def _preset(option: Option, starts: dict[str, Numbers], report: Report) -> Preset | None:
    """`All equal | X = [[2, 2, 2, 2]] | gamma = [1, 1, 1, 1]`."""
    name, *settings = map(str.strip, option.value.split("|"))
    values: dict[str, Numbers] = {}
    for setting in settings:
        target, _, text = map(str.strip, setting.partition("="))
        try:
            value = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            value = None
        if target not in starts or _shape(value) != _shape(starts[target]):
            what = f"the preset's '{setting}' does not fit the inputs"
            at = option.place
            report.add(at.path, at.line, what, f"write numbers in the form of {starts}")
            return None
        values[target] = value
    return Preset(name=name, values=values)


def _shape(value: object) -> list[int]:
    return [len(value), *_shape(value[0])] if isinstance(value, list) and value else []
