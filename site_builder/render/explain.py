"""`explain.json`: the contents of the pages for machines, made from the same records."""

import json
from typing import Any

from site_builder.observe.verdicts import Verdict
from site_builder.read.code import Function, Span
from site_builder.read.equations import Equation, connections
from site_builder.render.pdf import Pdf
from site_builder.resolve.site import PageView, Site


def explain(site: Site, verdicts: dict[str, Verdict], pdf: Pdf) -> str:
    """The JSON text, with keys in a stable order."""
    table = {
        "title": site.settings.title,
        "commit": site.revision.commit,
        "repository": site.revision.repository,
        "environment": site.observation.environment,
        "pdf": _pdf(pdf),
        "pages": [_page(page, site, verdicts) for page in site.pages],
        "claims": [
            {
                "sentence": claim.markdown,
                "condition": claim.condition,
                "source": {"file": claim.place.path, "line": claim.place.line},
            }
            for claim in site.claims
        ],
        "functions": [
            _function(function, site, pdf)
            for function in site.codebase.functions.values()
            if site.codebase.is_subject(function.module)
        ],
        "parameters": [
            {
                "name": name,
                "shape": shape,
                "starts": site.observation.starts[name],
                "decays": name in site.observation.decayed,
            }
            for name, shape in site.observation.runs[0].parameters.items()
        ],
    }
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def _page(page: PageView, site: Site, verdicts: dict[str, Verdict]) -> dict[str, Any]:
    return {
        "path": page.path,
        "url": f"{page.slug}.html",
        "title": page.title,
        "equations": [_equation(e, site, verdicts) for e in site.equations if e.slug == page.slug],
        **_entries(page),
    }


def _entries(page: PageView) -> dict[str, list[dict[str, Any]]]:
    """The entries of its views, by the key of the list."""
    entries: dict[str, list[dict[str, Any]]] = {"symbols": [], "examples": []}
    for view in page.blocks:
        for key, of_view in view.entries().items():
            entries.setdefault(key, []).extend(of_view)
    return entries


def _equation(equation: Equation, site: Site, verdicts: dict[str, Verdict]) -> dict[str, Any]:
    return {
        "id": equation.id,
        "number": site.numbers[equation.slug, equation.id],
        "caption": equation.caption,
        "latex": equation.latex,
        "source": {"file": equation.place.path, "line": equation.place.line},
        "verdict": _verdict(equation, verdicts.get(equation.id)),
        "links": [
            {
                "role": connection.role,
                **_span(connection.span, site),
                "function": connection.function.dotted if connection.function else None,
                "text": connection.code,
            }
            for connection in connections(equation, site.codebase)
        ],
    }


def _verdict(equation: Equation, verdict: Verdict | None) -> dict[str, Any]:
    if verdict is None:
        return {"executed": False, "reason": equation.unchecked}
    return {
        "executed": True,
        "holds": True,
        "inputs": verdict.inputs,
        "largest_relative_difference": verdict.relative,
        "largest_absolute_difference": verdict.absolute,
        "derivatives": list(verdict.methods),
    }


def _pdf(pdf: Pdf) -> dict[str, Any]:
    if not pdf.path:
        return {"url": None, "reason": pdf.missing}
    return {"url": pdf.path, "pages": pdf.pages}


def _function(function: Function, site: Site, pdf: Pdf) -> dict[str, Any]:
    codebase = site.codebase
    entry = {
        "name": function.dotted,
        **_span(function.span, site),
        "pdf": [
            {
                "section": mention.section,
                "equations": list(mention.equations),
                "code": mention.has_code,
                "page": mention.page,
                "url": f"{pdf.path}#page={mention.page}",
            }
            for mention in pdf.of(function.dotted)
        ],
    }
    if "." in function.qualname:  # calls of methods cannot be resolved
        return entry
    return {
        **entry,
        "called_by": sorted({c.caller.dotted for c in codebase.source_calls_of(function.dotted)}),
        "tested_by": sorted({c.caller.dotted for c in codebase.test_calls_of(function.dotted)}),
    }


def _span(span: Span, site: Site) -> dict[str, Any]:
    link = site.links.span(span)
    return {
        "file": span.path,
        "first": span.first,
        "last": span.last,
        "url": link.href,
        "permalink": link.permalink,
    }
