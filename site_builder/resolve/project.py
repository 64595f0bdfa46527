"""Read everything that a site is built from."""

from dataclasses import dataclass
from pathlib import Path

from site_builder.observe.requests import Request
from site_builder.problem import Place, Report
from site_builder.read.anchors import AnchorError, Anchors
from site_builder.read.codebase import Codebase, read_codebase
from site_builder.read.content import read_pages
from site_builder.read.dataflow import DataFlows, ModelMap, UnmappableError, map_model
from site_builder.read.equations import Equation
from site_builder.read.published import PublishedId, read_published
from site_builder.read.settings import SETTINGS_PATH, Settings, read_settings
from site_builder.resolve.claims import programs_asked
from site_builder.resolve.directive import Directives, Document, equations_of, read_documents


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Everything that was read.

    Attributes:
        documents: the pages, with their directives read.
        equations: the equations of all pages, by id.
        requests: the requests of all pages.
        flows: computes the data flow of functions.
        model: the map of the model; None if site.toml has no map.
        published: all ids ever published.
    """

    settings: Settings
    codebase: Codebase
    anchors: Anchors
    documents: tuple[Document, ...]
    equations: dict[str, Equation]
    requests: tuple[Request, ...]
    flows: DataFlows
    model: ModelMap | None
    published: tuple[PublishedId, ...]


def read_project(root: Path, directives: Directives, report: Report) -> Project:
    """Read settings, code and pages.

    Args:
        root: the project's folder.
        directives: the directive classes, by name.
        report: receives problems.

    Raises:
        BuildError: the settings cannot be read, and everything else depends on them.
    """
    settings = read_settings(root, report)
    report.raise_if_any()
    assert settings  # noqa: S101 - otherwise a problem was reported
    codebase = read_codebase(root, settings.folders, settings.subject, report)
    if not codebase.complete:
        report.mark_incomplete()
    pages = read_pages(root, report)
    anchors = Anchors(codebase)
    flows = DataFlows(codebase)
    documents = read_documents(pages, anchors, directives, report)
    return Project(
        settings=settings,
        codebase=codebase,
        anchors=anchors,
        documents=documents,
        equations=equations_of(documents, report),
        requests=(
            *(request for document in documents for request in document.requests()),
            *(request for page in pages for request in programs_asked(page, anchors, report)),
        ),
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
        report.add_if_complete(Place(path=SETTINGS_PATH), f"[map] of: {error.what}", error.remedy)
    except UnmappableError as error:
        report.add(Place(path=error.path, line=error.line), error.what, error.remedy)
    return None
