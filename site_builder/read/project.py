"""Read everything that a site is built from."""

from dataclasses import dataclass
from pathlib import Path

from site_builder.problem import Report
from site_builder.read.anchors import AnchorError, Anchors
from site_builder.read.check import Check, read_checks
from site_builder.read.code import Function
from site_builder.read.codebase import Codebase, read_codebase
from site_builder.read.content import read_pages
from site_builder.read.dataflow import DataFlows
from site_builder.read.equations import Equation, read_equations
from site_builder.read.example import read_examples
from site_builder.read.exercise import Exercise, read_exercises
from site_builder.read.figure import read_figures
from site_builder.read.flow_values import UnmappableError
from site_builder.read.live import Live
from site_builder.read.model_map import ModelMap
from site_builder.read.model_walk import map_model
from site_builder.read.page import Page, Place
from site_builder.read.programs import read_programs
from site_builder.read.published import PublishedId, read_published
from site_builder.read.settings import SETTINGS_PATH, Settings, read_settings
from site_builder.read.symbols import SymbolRow, read_symbols


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What was read.

    Attributes:
        equations: by id, over all pages.
        live: examples, figures and traces, by the place of their directive.
        exercises: by the place of their directive.
        checks: by the slug of the page.
        symbols: the rows of the symbol tables, by the slug of the page.
        programs: functions without inputs that pages have run, by dotted name.
        flows: the data flow of any function.
        model: the map of the model; None where site.toml asks for none.
        published: all ids that the site has ever had.
    """

    settings: Settings
    codebase: Codebase
    anchors: Anchors
    pages: tuple[Page, ...]
    equations: dict[str, Equation]
    live: dict[Place, Live]
    exercises: dict[Place, Exercise]
    checks: dict[str, Check]
    symbols: dict[str, tuple[SymbolRow, ...]]
    programs: dict[str, Function]
    flows: DataFlows
    model: ModelMap | None
    published: tuple[PublishedId, ...]


def read_project(root: Path, report: Report) -> Project:
    """Read settings, code and pages.

    Raises:
        BuildError: the settings cannot be read, and without them nothing else can.
    """
    settings = read_settings(root, report)
    report.raise_if_any()
    assert settings  # noqa: S101 - otherwise it was reported
    codebase = read_codebase(root, settings.folders, settings.subject, report)
    if not codebase.complete:
        report.go_blind()
    pages = read_pages(root, report)
    anchors = Anchors(codebase)
    flows = DataFlows(codebase)
    examples = read_examples(pages, anchors, report)
    return Project(
        settings=settings,
        codebase=codebase,
        anchors=anchors,
        pages=tuple(pages),
        equations=read_equations(pages, anchors, report),
        live={**examples, **read_figures(pages, examples, anchors, report)},
        exercises=read_exercises(pages, anchors, report),
        checks=read_checks(pages, anchors, report),
        symbols=read_symbols(pages, anchors),
        programs=read_programs(pages, anchors, report),
        flows=flows,
        model=_read_model(settings, anchors, flows, report),
        published=read_published(root, report),
    )


def _read_model(
    settings: Settings, anchors: Anchors, flows: DataFlows, report: Report
) -> ModelMap | None:
    if settings.map is None:
        return None
    try:
        return map_model(anchors.find(settings.map.of), settings.map.without, flows)
    except AnchorError as error:
        report.add_dependent(SETTINGS_PATH, 0, f"[map] of: {error.what}", error.remedy)
    except UnmappableError as error:
        report.add(error.path, error.line, error.what, error.remedy)
    return None
