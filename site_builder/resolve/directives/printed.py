"""`{printed}`: what a program printed when the build ran it."""

from site_builder.read.page import Directive
from site_builder.resolve.code_views import PrintedView
from site_builder.resolve.context import Context


def printed(directive: Directive, context: Context) -> PrintedView | None:
    """The recorded output. A program that prints nothing is a problem."""
    program = context.function(directive.argument, directive.place)
    record = program and context.facts.observation.printed.get(program.dotted)
    if not program or not record:
        return None
    if not record["output"]:
        what = f"{program.dotted} prints nothing"
        context.add(directive.place, what, "let it print, or name one that does")
        return None
    return PrintedView(
        function=program.qualname,
        link=context.facts.links.function(program),
        output=record["output"].rstrip("\n"),
    )
