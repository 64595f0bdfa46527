"""How long stages of a build take for the page about LayerNorm, each by itself."""

import os
import tempfile
import time
from pathlib import Path

from bench.sites import ROOT
from site_builder.cache import Cache
from site_builder.directives import DIRECTIVES
from site_builder.observe.process import SubjectProcess
from site_builder.observe.run import observe
from site_builder.observe.verdicts import verify_equations
from site_builder.problem import Report
from site_builder.read.revision import read_revision
from site_builder.render.maths import typeset
from site_builder.render.node import Node
from site_builder.render.tools import Tools
from site_builder.resolve.directive import checked_equations
from site_builder.resolve.project import read_project
from site_builder.resolve.site import resolve

SLUG, PATH = "layer-norm", "content/layer-norm.md"


def stage_seconds() -> dict[str, float]:
    """Run the page's equations, and render its maths: nothing is kept from before."""
    report = Report()
    project = read_project(ROOT, DIRECTIVES, report)
    settings = project.settings
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as folder,
        SubjectProcess(ROOT, settings.observe.time_limit) as process,
        Node() as node,
    ):
        cache = Cache(Path(folder))
        observation = observe(process, settings, project.codebase, project.requests, cache, report)
        revision = read_revision(ROOT, settings.repository, os.environ)
        site = resolve(project, revision, (), observation, cache, report)
        equations = [e for e in checked_equations(project.documents) if e.slug == SLUG]
        formulas = {maths: at for maths, at in site.formulas.items() if at.path == PATH}
        started = time.perf_counter()
        verify_equations(process, project.codebase, equations, observation, cache, report)
        judged = time.perf_counter()
        typeset(formulas, Tools(node, cache), report)
        typesetted = time.perf_counter()
    report.raise_if_any()
    return {"equations run": judged - started, "maths rendered": typesetted - judged}
