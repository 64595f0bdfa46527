"""`{exercise}`: a task with a stub, a worked solution, and a check that marks both."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from site_builder.directives.cell import version_of
from site_builder.directives.code import ListingView, listing
from site_builder.observe.requests import ExerciseTrial, Request
from site_builder.problem import Place
from site_builder.read.code import Function
from site_builder.read.page import Fence
from site_builder.resolve.context import Context
from site_builder.resolve.directive import Accepts, Block, Directive, Reader
from site_builder.resolve.notebook import Cell, Notebook, anchor, markdown
from site_builder.resolve.search import PageSearch, SearchRecord
from site_builder.resolve.text_views import Reference, Text
from site_builder.resolve.view import View

_FENCE, _FENCE_END = "```python", "```"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise(Directive):
    """An exercise.

    Attributes:
        task: Markdown above the stub.
        stub: the code to begin from; `stub_place` is its first line.
        solution: the functions of the worked solution, named as the check expects.
        check: a function that takes the answer's module and yields findings.
    """

    accepts: ClassVar[Accepts] = Accepts(
        argument="an id",
        options={"title": True, "check": True, "solution": True, "hint": False},
        body="Markdown and a stub",
        on_pages_only=True,
    )
    task: tuple[Block, ...]
    stub: str
    stub_place: Place
    solution: tuple[Function, ...]
    check: Function

    @classmethod
    def read(cls, fence: Fence, reader: Reader) -> Self | None:
        """Separate the task from the stub, and find the functions."""
        texts = [line.text.strip() for line in fence.body]
        if _FENCE not in texts or texts[-1] != _FENCE_END:
            what = f"the exercise '{fence.argument}' has no stub"
            remedy = f"end it with a block between {_FENCE} and {_FENCE_END}"
            reader.add(fence.place, what, remedy)
            return None
        start = texts.index(_FENCE)
        return cls(
            fence=fence,
            task=reader.nested(fence.body[:start]),
            stub="\n".join(line.text for line in fence.body[start + 1 : -1]),
            stub_place=fence.body[start].place,
            solution=tuple(map(reader.anchors.function, fence.option("solution").split())),
            check=reader.anchors.function(fence.option("check")),
        )

    def requests(self) -> Iterator[Request]:
        """A run of the check on the stub and on the solution."""
        yield ExerciseTrial(
            id=self.fence.argument,
            stub=self.stub,
            stub_place=self.stub_place,
            solution=self.solution,
            solution_place=self.fence.options_named("solution")[0].place,
            check=self.check,
            place=self.place,
        )

    def view(self, context: Context) -> "ExerciseView":
        """The exercise with its solution collapsed."""
        name, title = self.fence.argument, self.fence.option("title")

        def solution(function: Function) -> ListingView:
            return listing(function.span, function.qualname, None, self.place, context)

        check = context.facts.links.function(self.check)
        return ExerciseView(
            id=context.claim_id(f"exercise-{name}", self.place),
            title=title,
            task=context.views(self.task),
            stub=tuple(self.stub.split("\n")),
            hints=tuple(
                context.inline(hint.value, hint.place) for hint in self.fence.options_named("hint")
            ),
            check=Reference(text=self.check.dotted, href=check.href, code=True),
            solution=tuple(map(solution, self.solution)),
            data=json.dumps(
                {
                    "cell": name,
                    "name": title,
                    "first": 1,
                    "text": self.stub,
                    "version": version_of(self.stub),
                    "check": self.check.dotted,
                }
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseView(View):
    """A task, a stub to begin from, hints, and a worked solution.

    Attributes:
        data: what the browser needs to check an answer, as JSON.
    """

    template: ClassVar[str] = "exercise.html"
    id: str
    title: str
    task: tuple[View, ...]
    stub: tuple[str, ...]
    hints: tuple[Text, ...]
    check: Reference
    solution: tuple[ListingView, ...]
    data: str

    def cells(self, notebook: Notebook) -> Iterator[Cell]:
        """The task, and the stub."""
        yield markdown(self.markdown(notebook))
        yield notebook.run("\n".join(self.stub))

    def markdown(self, notebook: Notebook) -> str:
        """The task."""
        inside = filter(None, (view.markdown(notebook) for view in self.task))
        where = notebook.on_page(self.id, "the page")
        task = [f"**{self.title}.**", *inside, f"Answers are marked on {where}."]
        return f"{anchor(self.id)}\n\n" + "\n\n".join(task)

    def records(self, search: PageSearch) -> Iterable[SearchRecord]:
        """One record, also found by the task and the stub."""
        task = " ".join(text for view in self.task for text in view.prose(search))
        stub = " ".join(self.stub)
        yield search.record("Exercise", self.id, self.title, text=task, words=stub)
