"""The build: read -> observe -> resolve -> render -> write."""

import os
from dataclasses import dataclass
from pathlib import Path

from site_builder.cache import Cache
from site_builder.observe.run import observe
from site_builder.observe.verdicts import judge
from site_builder.problem import Report
from site_builder.read.anchors import Anchors
from site_builder.read.check import read_checks
from site_builder.read.codebase import read_codebase
from site_builder.read.content import read_pages
from site_builder.read.equations import read_equations
from site_builder.read.example import read_examples
from site_builder.read.revision import read_revision
from site_builder.read.runtime import Runtime
from site_builder.read.settings import read_settings
from site_builder.read.test_report import read_test_report
from site_builder.render.assets import assets
from site_builder.render.html import Html
from site_builder.render.maths import typeset
from site_builder.render.pages import render
from site_builder.resolve.site import resolve
from site_builder.write.bundle import bundle
from site_builder.write.folder import Content


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSite:
    """All files of the site by path, and how much is in it."""

    files: dict[str, Content]
    pages: int
    equations: int


def build(root: Path, runtime: Runtime | None, cache: Cache) -> BuiltSite:
    """Build the site of the project at `root` in memory.

    Args:
        root: the project's folder, with content/, templates/, static/ and the code.
        runtime: what the browser needs to run Python; None for a site with recorded results only.
        cache: keeps observations and formulas between builds.

    Raises:
        BuildError: with everything that is wrong.
    """
    report = Report()
    settings = read_settings(root, report)
    report.raise_if_any()
    assert settings  # noqa: S101 - otherwise it was reported
    codebase = read_codebase(root, settings.folders, settings.subject, report)
    pages = read_pages(root, report)
    if not codebase.complete:
        report.go_blind()
    anchors = Anchors(codebase)
    equations = read_equations(pages, anchors, report)
    examples = read_examples(pages, anchors, report)
    checks = read_checks(pages, anchors, report)

    observation = observe(root, settings, codebase, examples.values(), cache, report)

    verdicts = judge(
        root, settings, codebase, observation, equations.values(), checks, cache, report
    )
    revision = read_revision(root, settings.repository, os.environ)
    site = resolve(
        settings,
        revision,
        codebase,
        anchors,
        observation,
        pages,
        equations,
        examples,
        checks,
        verdicts,
        report,
    )
    formulas = typeset(site.formulas, cache, report)
    report.raise_if_any()

    html = Html(root / "templates", formulas)
    files: dict[str, Content] = {**assets(root)}
    files |= render(site, html, runtime.bytes if runtime else 0, read_test_report(root, codebase))
    if runtime:
        files |= {f"runtime/{name}": file for name, file in runtime.files.items()}
        packages = [(f, p) for f, p in settings.folders if not p.startswith("tests")]
        files["runtime/sources.zip"] = bundle(root, packages)
    return BuiltSite(files=files, pages=len(pages), equations=len(site.equations))
