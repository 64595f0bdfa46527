"""`{exercise}`: a task with a stub to begin from, which a check marks."""

import json

from site_builder.read.code import Function
from site_builder.read.page import Directive
from site_builder.resolve.cell_views import ExerciseView, ListingView
from site_builder.resolve.context import Context
from site_builder.resolve.directives.cell import version_of
from site_builder.resolve.directives.code import listing
from site_builder.resolve.directives.prose import resolve_body
from site_builder.resolve.text_views import Reference


def exercise(directive: Directive, context: Context) -> ExerciseView | None:
    """The exercise with its solution folded away."""
    found = context.facts.exercises.get(directive.place)
    if not found:
        return None

    def solution(function: Function) -> ListingView:
        return listing(function.span, function.qualname, None, directive.place, context)

    check = context.facts.links.function(found.check)
    return ExerciseView(
        id=context.claim_id(f"exercise-{found.id}", found.place),
        title=found.title,
        task=resolve_body(found.task, context),
        stub=tuple(found.stub.split("\n")),
        hints=tuple(context.inline(hint.value, hint.place) for hint in found.hints),
        check=Reference(text=found.check.dotted, href=check.href, code=True),
        solution=tuple(solution(function) for function in found.solution),
        data=json.dumps(
            {
                "cell": found.id,
                "name": found.title,
                "first": 1,
                "text": found.stub,
                "version": version_of(found.stub),
                "check": found.check.dotted,
            }
        ),
    )
