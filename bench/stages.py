"""How long stages of one build of this repository's own pages take, each by itself."""

import os
import tempfile
import time
from pathlib import Path

from bench.sites import ROOT
from site_builder.cache import Cache
from site_builder.observe.process import SubjectProcess
from site_builder.observe.run import observe
from site_builder.observe.verdicts import judge
from site_builder.problem import Report
from site_builder.read.project import read_project
from site_builder.read.revision import read_revision
from site_builder.render.maths import typeset
from site_builder.resolve.site import resolve


def stage_seconds() -> dict[str, float]:
    """Run every equation, and render all maths: nothing is kept from before."""
    report = Report()
    project = read_project(ROOT, report)
    settings = project.settings
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as folder,
        SubjectProcess(ROOT, settings.observe.time_limit) as process,
    ):
        cache = Cache(Path(folder))
        observation = observe(process, project, cache, report)
        revision = read_revision(ROOT, settings.repository, os.environ)
        site = resolve(project, revision, (), observation, report)
        started = time.perf_counter()
        judge(process, project, observation, cache, report)
        judged = time.perf_counter()
        typeset(site.formulas, cache, report)
        typesetted = time.perf_counter()
    report.raise_if_any()
    return {"equations run": judged - started, "maths rendered": typesetted - judged}
