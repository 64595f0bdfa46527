"""The cells of each page's notebook, before they have run."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from site_builder.observe.verdicts import Verdict
from site_builder.problem import Report
from site_builder.read.code import Function, Span
from site_builder.read.definitions import Definitions, NotSelfContainedError
from site_builder.read.example import Example
from site_builder.read.project import Project
from site_builder.render.notebook.cells import Cell, code, markdown
from site_builder.render.notebook.markdown import MarkdownText
from site_builder.render.notebook.namespace import Namespace
from site_builder.render.notebook.runs import comparing_code, example_code
from site_builder.render.notebook.texts import Texts
from site_builder.resolve.cell_views import CellView, ExerciseView, ListingView
from site_builder.resolve.code_views import PrintedView
from site_builder.resolve.example_views import ExampleView
from site_builder.resolve.site import PageView, Site
from site_builder.resolve.views import BlockView

_WATCHING = "templates/notebook.py"


def compose(
    root: Path, project: Project, site: Site, verdicts: dict[str, Verdict], report: Report
) -> dict[str, list[Cell]]:
    """The cells of the notebooks by the path of the page; a page may go without one.

    Code that cannot stand in a notebook is reported.
    """
    sources = _Sources(
        project=project,
        site=site,
        verdicts=verdicts,
        definitions=Definitions(site.codebase),
        watching=(root / _WATCHING).read_text("utf-8").strip(),
    )
    notebooks = {}
    for page in site.pages:
        if page.has_notebook:
            try:
                notebooks[page.path] = [*_Composer(page, sources).cells()]
            except NotSelfContainedError as error:
                what = f"this page cannot be a notebook: {error}"
                remedy = "rename it, or write 'notebook: no' in the front matter"
                report.add(page.path, 1, what, remedy)
    return notebooks


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sources:
    """What all notebooks are written from; `watching` is the code that looks into functions."""

    project: Project
    site: Site
    verdicts: dict[str, Verdict]
    definitions: Definitions
    watching: str


class _Composer:
    """Writes the notebook of one page from its first block to its last."""

    def __init__(self, page: PageView, sources: _Sources) -> None:
        site = sources.site
        self._page = page
        self._site = site
        self._text = MarkdownText(site.settings.address)
        self._texts = Texts(self._text, f"{page.slug}.html", sources.verdicts)
        self._namespace = Namespace(site, sources.definitions)
        self._watching = sources.watching
        self._examples = {
            f"ex-{live.id}": live
            for live in sources.project.live.values()
            if isinstance(live, Example) and live.place.path in page.files
        }
        self._modules = {site.links.file(m.path): m for m in site.codebase.modules.values()}

    def cells(self) -> Iterator[Cell]:
        """All cells."""
        yield markdown(self._title())
        for view in self._page.blocks:
            yield from self._block(view)

    def _title(self) -> str:
        page, commit = self._page, self._site.revision.commit
        made = f"commit `{commit[:12]}`" if commit else "files that are not committed"
        where = self._text.link("the page of that name", f"{page.slug}.html")
        return (
            f"# {page.title}\n\n{page.summary}\n\n"
            f"This notebook was made from {where} and from {made}, and run from start to end with"
            f" {self._site.observation.environment}. It needs nothing but NumPy: the functions"
            " below are the lines of the code itself. ✓ marks what the build checked."
        )

    def _block(self, view: BlockView) -> Iterator[Cell]:
        if isinstance(view, ListingView):
            yield from self._listing(view)
        elif isinstance(view, CellView):
            yield from self._listing(view.listing)
            yield from self._printed(self._function(view.program.href), view.output)
        elif isinstance(view, PrintedView):
            yield from self._printed(self._function(view.link.href), view.output)
        elif isinstance(view, ExampleView):
            yield from self._example(view, self._examples[view.id])
        elif isinstance(view, ExerciseView):
            yield markdown(self._texts.exercise(view))
            stub = "\n".join(view.stub)
            self._namespace.run(stub)
            yield code(stub)
        elif text := self._texts.block(view):
            yield markdown(text)

    def _listing(self, view: ListingView) -> Iterator[Cell]:
        module = self._modules[view.link.file]
        first, last = view.lines[0].number, view.lines[-1].number
        cells = self._namespace.listed(module, Span(path=module.path, first=first, last=last))
        if cells:
            *needed, shown = cells
            yield from needed
            yield markdown(self._texts.listing(view))
            yield shown
        else:
            yield markdown(self._texts.quoted_listing(view))

    def _printed(self, function: Function, output: str) -> Iterator[Cell]:
        yield from self._namespace.needed(function.module, function.name)
        yield code(f"{function.name}()", expected=output)

    def _example(self, view: ExampleView, example: Example) -> Iterator[Cell]:
        if self._watching:
            self._namespace.run(self._watching, reserved=True)
            yield code(self._watching, folded=True)
            self._watching = ""
        functions = [example.program, *(p.function for p in example.observed() if p.function)]
        for module, name in dict.fromkeys(
            (f.module, f.qualname.partition(".")[0]) for f in functions
        ):
            yield from self._namespace.needed(module, name)
        yield markdown(self._texts.example(view))
        for text in (
            example_code(example),
            comparing_code(example, self._site.observation.examples[example.run]),
        ):
            self._namespace.run(text, reserved=True)
            yield code(text)

    def _function(self, href: str | None) -> Function:
        """The function to whose first line an address on the site leads."""
        return next(
            function
            for function in self._site.codebase.functions.values()
            if self._site.links.function(function).href == href
        )
