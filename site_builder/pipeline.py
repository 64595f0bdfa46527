"""The build: read -> observe -> resolve -> render -> write."""

import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from site_builder.cache import Cache
from site_builder.observe.exercises import try_exercises
from site_builder.observe.notebooks import run_notebooks
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
from site_builder.render.chromium import LEFT_OUT, Browser
from site_builder.render.drawings import draw
from site_builder.render.fonts import styles_with_fonts
from site_builder.render.html import Html
from site_builder.render.inventory import inventory
from site_builder.render.layouts import lay_out
from site_builder.render.maths import typeset
from site_builder.render.notebook.compose import compose
from site_builder.render.notebook.file import code_of, notebook_file
from site_builder.render.pages import render
from site_builder.render.printed import print_site
from site_builder.render.published import check_published, published
from site_builder.render.search_index import search_index
from site_builder.render.search_records import search_records
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


def build(
    root: Path, runtime: Runtime | None, cache: Cache, browser: Browser = LEFT_OUT
) -> BuiltSite:
    """Build the site of the project at `root` in memory.

    Args:
        root: the project's folder, with content/, templates/, static/ and the code.
        runtime: what the browser needs to run Python; None for a site with recorded results only.
        cache: keeps observations and formulas between builds.
        browser: makes the PDF of all pages, and pictures of them.

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
        searched = pool.submit(search_index, search_records(site, formulas), cache, report)
        drawn = draw(site.drawings, root, cache, report)
        laid = lay_out(site.layouts, cache, report)
        bundled = bundles(root, cache, report)
        found = searched.result()
        judgement = judging.result()
        report.raise_if_any()
        verdicts = judgement.verdicts
        notebooks = compose(root, project, site, verdicts, report)
        ran = run_notebooks(process, code_of(notebooks), cache, report)
    report.raise_if_any()

    html = Html(root / "templates", formulas, drawn, laid, verdicts)
    tests = read_test_report(root, project.codebase)
    loaded = assets(root)
    typeset_formulas = [*formulas.values()]

    def with_fonts(use: str, texts: Iterable[str]) -> dict[str, str]:
        return styles_with_fonts(use, root, texts, typeset_formulas, cache, report)

    printed = print_site(site, html, loaded, partial(with_fonts, "print"), browser, cache, report)
    files: dict[str, Content] = {**loaded, **bundled, **found, **printed.files}
    runtime_bytes = 0
    if runtime:
        packages = [(f, p) for f, p in project.settings.folders if not p.startswith("tests")]
        sources = bundle(root, packages, judgement.checks)
        runtime_bytes = runtime.bytes + len(sources)
        files |= {f"runtime/{name}": file for name, file in runtime.files.items()}
        files["runtime/sources.zip"] = sources
    pages = render(site, html, verdicts, tests, runtime_bytes, printed)
    html_pages = {path: text for path, text in pages.items() if path.endswith(".html")}
    check_published(project.published, project.settings.moved, html_pages, report)
    report.raise_if_any()
    files |= pages
    files |= announce(site, html, pages)
    texts = [*pages.values(), *_texts(files)]
    files |= with_fonts("pages", texts)
    files["objects.inv"] = inventory(site)
    files |= {f"{page.slug}.md": root / page.path for page in site.pages}
    for page in site.pages:
        if cells := notebooks.get(page.path):
            text = notebook_file(page.path, cells, ran[page.path], report)
            files[f"{page.slug}.ipynb"] = text
    report.raise_if_any()
    files["service-worker.js"] = service_worker(root, files)
    return BuiltSite(
        files=files,
        pages=len(site.pages),
        equations=len(site.equations),
        published=published(html_pages),
    )


def _texts(files: Mapping[str, Content]) -> Iterator[str]:
    """What scripts and styles of the site hold: pages may come to show characters of it."""
    for name, content in files.items():
        if name.endswith((".js", ".css")) and isinstance(content, Path):
            yield content.read_text("utf-8")
