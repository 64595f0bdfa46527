"""The build: read -> observe -> resolve -> render -> write."""

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from site_builder.cache import Cache
from site_builder.directives import DIRECTIVES
from site_builder.observe.exercises import try_exercises
from site_builder.observe.notebooks import run_notebooks
from site_builder.observe.observation import Observation
from site_builder.observe.process import SubjectProcess
from site_builder.observe.run import observe
from site_builder.observe.verdicts import EquationResults, verify_equations
from site_builder.problem import Report
from site_builder.read.history import read_history
from site_builder.read.revision import read_revision
from site_builder.read.runtime import Runtime
from site_builder.read.test_report import read_test_report
from site_builder.render.announce import announce
from site_builder.render.assets import assets
from site_builder.render.chromium import LEFT_OUT, Browser
from site_builder.render.drawings import draw
from site_builder.render.esbuild import BUNDLES, EARLY, STYLES, scripts_and_styles
from site_builder.render.fonts import Fonts, formula_styles
from site_builder.render.html import Html
from site_builder.render.inventory import inventory
from site_builder.render.layouts import lay_out
from site_builder.render.maths import KATEX, typeset
from site_builder.render.node import Node
from site_builder.render.notebooks import code_of, compose, notebook_files
from site_builder.render.pages import render
from site_builder.render.print_site import print_site
from site_builder.render.published import check_published, published
from site_builder.render.search_index import search_index
from site_builder.render.search_records import search_records
from site_builder.render.tools import Tools
from site_builder.resolve.directive import checked_equations
from site_builder.resolve.project import Project, read_project
from site_builder.resolve.site import Site, resolve
from site_builder.resolve.text_views import Maths, TypesetMaths
from site_builder.write.bundle import bundle
from site_builder.write.folder import Content
from site_builder.write.release import service_worker


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSite:
    """All files of the site by path, counts, and the published pages and ids."""

    files: dict[str, Content]
    pages: int
    equations: int
    published: frozenset[str]


class Builder:
    """Builds the site of one project, any number of times.

    What is slow to start stays warm between builds: Node, the subject's process, and the cache in
    memory. Use it as a context manager, which ends both processes.
    """

    def __init__(self, root: Path, cache: Cache) -> None:
        """Prepare; nothing is started yet.

        Args:
            root: the project's folder, with content/, templates/, static/ and the code.
            cache: keeps results between builds.
        """
        self._root = root
        self._tools = Tools(Node(), cache)
        self._process: SubjectProcess | None = None
        self._search: dict[str, bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._tools.node.close()
        if self._process:
            self._process.close()

    def build(
        self, runtime: Runtime | None, browser: Browser = LEFT_OUT, *, quick: bool = False
    ) -> BuiltSite:
        """Build the site in memory.

        Args:
            runtime: what the browser needs to run Python; None for recorded results only.
            browser: makes the PDF of all pages, and pictures of them.
            quick: reuse the search index of the previous build, if any, and do not write the
                cache yet.

        Raises:
            BuildError: with everything that is wrong.
        """
        self._tools.node.load(KATEX.script)  # loads while the pages are read
        report = Report()
        project = read_project(self._root, DIRECTIVES, report)
        process = self._subject(project.settings.observe.time_limit)
        search = self._search if quick else None
        parts = _parts(self._root, project, process, search, self._tools, report)
        self._search = parts.search
        site = _site(self._root, project, parts, runtime, browser, self._tools, report)
        if not quick:
            self._tools.cache.write()
        return site

    def _subject(self, time_limit: float) -> SubjectProcess:
        """The process in which the project's code runs."""
        if self._process and self._process.time_limit != time_limit:
            self._process.close()
            self._process = None
        self._process = self._process or SubjectProcess(self._root, time_limit)
        return self._process


def build(
    root: Path, runtime: Runtime | None, cache: Cache, browser: Browser = LEFT_OUT
) -> BuiltSite:
    """Build a site once; see `Builder`."""
    with Builder(root, cache) as builder:
        return builder.build(runtime, browser)


def _site(  # noqa: PLR0913 - each is a different thing
    root: Path,
    project: Project,
    parts: "_Parts",
    runtime: Runtime | None,
    browser: Browser,
    tools: Tools,
    report: Report,
) -> BuiltSite:
    files = dict(parts.files)
    runtime_bytes = 0
    if runtime:
        packages = [(f, p) for f, p in project.settings.folders if not p.startswith("tests")]
        sources = bundle(root, packages, parts.results.checks)
        runtime_bytes = runtime.bytes + len(sources)
        files |= {f"runtime/{name}": file for name, file in runtime.files.items()}
        files["runtime/sources.zip"] = sources
    fonts = Fonts(
        root=root,
        sheet=parts.styles,
        formula_sheet=parts.formula_styles,
        tools=tools,
        report=report,
    )
    tests = read_test_report(root, project.codebase)
    site, html, verdicts = parts.site, parts.html, parts.results.verdicts
    printed = print_site(site, html, fonts, browser, tools, report)
    pages = render(site, html, verdicts, tests, runtime_bytes, printed, fonts.of_text, tools.cache)
    check_published(project.published, site, report)
    files |= {**printed.files, **pages, **announce(site, html)}
    files |= fonts.styles("pages", _texts(files))
    report.raise_if_any()
    files["service-worker.js"] = service_worker(root, files)
    return BuiltSite(
        files=files,
        pages=len(site.pages),
        equations=len(site.equations),
        published=published(site),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """Inputs to rendering the pages, and the files that do not depend on it."""

    site: Site
    results: EquationResults
    html: Html
    styles: str
    formula_styles: str
    search: dict[str, bytes]
    files: dict[str, Content]


def _parts(  # noqa: PLR0913 - each is a different thing
    root: Path,
    project: Project,
    process: SubjectProcess,
    search: dict[str, bytes] | None,
    tools: Tools,
    report: Report,
) -> _Parts:
    codebase, requests, cache = project.codebase, project.requests, tools.cache
    with ThreadPoolExecutor() as pool:
        observation = observe(process, project.settings, codebase, requests, cache, report)
        try_exercises(process, codebase, requests, cache, report)
        # The equations run in the subject's process while this process continues.
        equations = checked_equations(project.documents)
        verifying = pool.submit(
            verify_equations, process, codebase, equations, observation, cache, report
        )
        revision = read_revision(root, project.settings.repository, os.environ)
        known = observation if observation.complete else Observation.nothing()
        history = read_history(root, revision)
        site = resolve(project, revision, history, known, cache, report)
        formulas = typeset(site.formulas, tools, report)
        searching = pool.submit(_search, search, site, formulas, tools, report)
        drawings = draw(site.drawings, root, tools, report)
        layouts = lay_out(site.layouts, tools, report)
        small = scripts_and_styles(root, tools, report)
        katex = formula_styles((formula.html for formula in formulas.values()), tools, report)
        results, search = verifying.result(), searching.result()
    report.raise_if_any()
    cells = compose(root, site, results.verdicts, cache, report)
    outputs = run_notebooks(process, code_of(cells), cache, report)
    report.raise_if_any()
    early = {path: code.strip() for path, code in small.items() if path.startswith(f"{EARLY}/")}
    return _Parts(
        site=site,
        results=results,
        html=Html(
            root / "templates",
            formulas,
            drawings,
            layouts,
            results.verdicts,
            early,
            cache.folder / "templates",
        ),
        styles=small[STYLES],
        formula_styles=katex,
        search=search,
        files={
            **assets(root),
            **{path: code for path, code in small.items() if path not in early},
            **search,
            **notebook_files(site, cells, outputs, report),
            **{f"{page.slug}.md": root / page.path for page in site.pages},
            "objects.inv": inventory(site),
        },
    )


def _search(
    previous: dict[str, bytes] | None,
    site: Site,
    formulas: dict[Maths, TypesetMaths],
    tools: Tools,
    report: Report,
) -> dict[str, bytes]:
    if previous is not None:
        return previous
    return search_index(search_records(site, formulas, tools.cache), tools, report)


def _texts(files: Mapping[str, Content]) -> Iterator[str]:
    """The texts that pages show, or may show through styles and the site's own scripts."""
    for name, content in files.items():
        shown = name.endswith((".html", ".js", STYLES)) and not name.startswith(BUNDLES)
        if shown and isinstance(content, str):
            yield content
