"""Run the pages' notebooks, and record the output of their cells."""

import json

from site_builder.cache import Cache, fingerprint
from site_builder.observe.process import SubjectProcess
from site_builder.problem import Place, Report
from site_builder.version import builder_version

_REMEDY = "make it self-contained, or write 'notebook: no' in the front matter"


def run_notebooks(
    process: SubjectProcess, notebooks: dict[str, list[str]], cache: Cache, report: Report
) -> dict[str, list[str]]:
    """The output of each code cell, by the path of the notebook's page.

    A notebook that fails is reported.
    """
    key = fingerprint("notebooks", json.dumps(notebooks), builder_version())
    outputs: dict[str, list[str]] | None = cache.get(key)
    if outputs is not None or not notebooks:
        return outputs or {}
    answer = process.notebooks({"notebooks": notebooks})
    if answer.table is None or answer.failure:
        what = answer.failure["what"] if answer.failure else "the process ended before it finished"
        for path in notebooks:
            report.add(
                Place(path=path, line=1), f"the notebook of this page does not run: {what}", _REMEDY
            )
        return {}
    for path, failed in answer.table["failed"].items():
        begins = notebooks[path][failed["cell"]].strip().split("\n")[0]
        what = f"the notebook of this page stops at the cell '{begins}': {failed['what']}"
        report.add(Place(path=path, line=1), what, _REMEDY)
    outputs = answer.table["outputs"]
    if not answer.table["failed"]:
        cache.put(key, outputs)
    return outputs or {}
