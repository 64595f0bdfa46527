"""`{check}`: the program and inputs on which a page's equations are executed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.observe.requests import EquationCheck, Request
from site_builder.read.anchors import AnchorError
from site_builder.read.code import Function
from site_builder.read.literals import read_literals
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Directive, Reader
from site_builder.resolve.links import CodeLink
from site_builder.resolve.notebook import Notebook
from site_builder.resolve.text_views import Reference
from site_builder.resolve.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Directive):
    """A program, a test with a worked example, and definitions that the program lacks."""

    accepts: ClassVar[Accepts] = Accepts(
        argument="a function",
        options={"values": True, "main": True, "define": False, "gradients": False},
        on_pages_only=True,
    )
    test: Function
    request: EquationCheck

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self | None:
        """Find the program, the test and its numbers. A page has at most one check."""
        if reader.fence("check") is not fence:
            reader.add(fence.place, "the page already has a {check}", "keep one of them")
            return None
        program = reader.anchors.function(fence.argument)
        names = [parameter.name for parameter in program.parameters]
        main = fence.option("main")
        if main not in names:
            what = f"{program.dotted} has no input '{main}'"
            raise AnchorError(what, f"write ':main:' and one of {', '.join(names)}")
        test = reader.anchors.function(fence.option("values"))
        gradients = fence.option("gradients")
        return cls(
            fence=fence,
            test=test,
            request=EquationCheck(
                program=program,
                starts=read_literals(reader.anchors, test, names),
                main=main,
                definitions=fence.options_named("define"),
                gradients=reader.anchors.function(gradients) if gradients else None,
                place=fence.place,
            ),
        )

    def requests(self) -> Iterator[Request]:
        """The check of the page's equations."""
        yield self.request

    def view(self, context: Context) -> "CheckView":
        """The program and the test, linked."""
        links, program = context.facts.links, self.request.program
        return CheckView(
            program=_reference(program.qualname, links.function(program)),
            source=_reference(self.test.qualname, links.function(self.test)),
            main=self.request.main,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckView(View):
    """The program and inputs on which a page's equations are checked."""

    template: ClassVar[str] = "check.html"
    program: Reference
    source: Reference
    main: str

    def markdown(self, notebook: Notebook) -> str:
        """The same, as a sentence."""
        program, source = map(notebook.reference, (self.program, self.source))
        return (
            "When the page was built its equations were executed and compared with what"
            f" {program} computed: on the numbers of {source}, and on others."
        )


def _reference(text: str, link: CodeLink) -> Reference:
    return Reference(text=text, href=link.href, code=True)
