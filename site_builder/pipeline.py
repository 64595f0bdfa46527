"""The build: read -> observe -> resolve -> render -> write."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from site_builder.cache import Cache
from site_builder.observe.exercises import try_exercises
from site_builder.observe.observation import Observation
from site_builder.observe.process import SubjectProcess
from site_builder.observe.run import observe
from site_builder.observe.verdicts import judge
from site_builder.problem import Report
from site_builder.read.history import read_history
from site_builder.read.project import read_project
from site_builder.read.revision import read_revision
from site_builder.read.runtime import Runtime
from site_builder.read.test_report import read_test_report
from site_builder.render.announce import announce
from site_builder.render.assets import assets
from site_builder.render.bundles import bundles
from site_builder.render.drawings import draw
from site_builder.render.html import Html
from site_builder.render.maths import typeset
from site_builder.render.pages import render
from site_builder.render.published import check_published, published
from site_builder.resolve.site import resolve
from site_builder.write.bundle import bundle
from site_builder.write.folder import Content
from site_builder.write.release import service_worker


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSite:
    """All files of the site by path, how much is in it, and what links to it may name."""

    files: dict[str, Content]
    pages: int
    equations: int
    published: frozenset[str]


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
    project = read_project(root, report)
    with (
        SubjectProcess(root, project.settings.observe.time_limit) as process,
        ThreadPoolExecutor() as pool,
    ):
        observation = observe(process, project, cache, report)
        try_exercises(process, project, cache, report)
        # The equations run in the subject's process while this one goes on.
        judging = pool.submit(judge, process, project, observation, cache, report)
        revision = read_revision(root, project.settings.repository, os.environ)
        known = observation if observation.complete else Observation.nothing()
        history = read_history(root, revision)
        site = resolve(project, revision, history, known, report)
        formulas = typeset(site.formulas, cache, report)
        drawn = draw(site.drawings, root, cache, report)
        bundled = bundles(root, cache, report)
        judgement = judging.result()
    report.raise_if_any()

    verdicts = judgement.verdicts
    html = Html(root / "templates", formulas, drawn, verdicts)
    tests = read_test_report(root, project.codebase)
    files: dict[str, Content] = {**assets(root), **bundled}
    runtime_bytes = 0
    if runtime:
        packages = [(f, p) for f, p in project.settings.folders if not p.startswith("tests")]
        sources = bundle(root, packages, judgement.checks)
        runtime_bytes = runtime.bytes + len(sources)
        files |= {f"runtime/{name}": file for name, file in runtime.files.items()}
        files["runtime/sources.zip"] = sources
    pages = render(site, html, verdicts, tests, runtime_bytes)
    html_pages = {path: text for path, text in pages.items() if path.endswith(".html")}
    check_published(project.published, project.settings.moved, html_pages, report)
    report.raise_if_any()
    files |= pages
    files |= announce(site, html, pages)
    files |= {f"{page.slug}.md": root / page.path for page in site.pages}
    files["service-worker.js"] = service_worker(root, files)
    return BuiltSite(
        files=files,
        pages=len(site.pages),
        equations=len(site.equations),
        published=published(html_pages),
    )
