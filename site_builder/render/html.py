"""Templates and the filters that they use."""

import base64
import hashlib
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import (
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateSyntaxError,
    pass_context,
)
from jinja2.runtime import Context
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from site_builder.cache import fingerprint
from site_builder.observe.verdicts import Verdict
from site_builder.problem import BuildError, Problem
from site_builder.render.drawings import Drawn
from site_builder.render.highlight import highlight_lines, highlight_python
from site_builder.render.layouts import LaidGraph
from site_builder.resolve.drawing import Drawing
from site_builder.resolve.graph_views import GraphView
from site_builder.resolve.text_views import Maths, Text, TypesetMaths
from site_builder.resolve.verdicts import verdict_view
from site_builder.version import builder_version


class Html:
    """Renders views to HTML."""

    def __init__(  # noqa: PLR0913 - each is a different thing
        self,
        templates: Path,
        formulas: Mapping[Maths, TypesetMaths],
        drawn: dict[Drawing, Drawn],
        laid: dict[GraphView, LaidGraph],
        verdicts: dict[str, Verdict],
        early: dict[str, str],
        compiled: Path,
    ) -> None:
        compiled.mkdir(parents=True, exist_ok=True)
        self.version = _version(templates, early)
        self._early = early
        self._drawn = drawn
        self._formulas = formulas
        self._folder = templates
        self._markdown = self._markdown_renderer()
        self._templates = Environment(
            loader=FileSystemLoader(templates),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            bytecode_cache=FileSystemBytecodeCache(str(compiled)),
        )
        self._templates.filters |= {
            "drawing": self._drawing,
            "drawing_table": self._drawing_table,
            "katex": self._katex,
            "laid": laid.__getitem__,
            "text": self._text,
            "digest": self._digest,
            "docstring": self._docstring,
            "docstring_line": self._docstring_line,
            "json_in_script": _json_in_script,
            "python": highlight_python,
            "script": self._script,
        }
        self._templates.globals["block"] = self._block_of_page
        self._templates.globals["verdicts"] = {
            id_: verdict_view(verdict) for id_, verdict in verdicts.items()
        }
        self._templates.globals["python_lines"] = highlight_lines

    def render(self, template: str, **values: object) -> str:
        """Render a whole page.

        Raises:
            BuildError: a template is invalid, or uses an attribute that its view lacks.
        """
        try:
            return self._templates.get_template(template).render(**values)
        except TemplateError as error:
            raise BuildError([_problem(error, self._folder)]) from error

    @pass_context
    def _block_of_page(self, context: Context, view: Any) -> Markup:  # noqa: ANN401
        return self._block(view, pdf=context.get("pdf"), ranges=context.get("ranges") or {})

    def _block(self, view: Any, **values: object) -> Markup:  # noqa: ANN401 - any with a template
        template = self._templates.get_template(view.template)
        return Markup(template.render(view=view, **values))  # noqa: S704

    def _katex(self, maths: Maths) -> Markup:
        typeset = self._formulas.get(maths)
        return Markup(typeset.html if typeset else "")  # noqa: S704 - KaTeX escapes its input

    def _script(self, path: str) -> Markup:
        """An inline script, which runs before the page is drawn."""
        return Markup(f"<script>{self._early[path]}</script>")  # noqa: S704 - the project's own

    def _digest(self, path: str) -> str:
        """The hash of that script for the Content-Security-Policy."""
        digest = hashlib.sha256(self._early[path].encode()).digest()
        return f"sha256-{base64.b64encode(digest).decode()}"

    def _drawing(self, drawing: Drawing) -> Markup:
        return Markup(self._drawn[drawing].svg)  # noqa: S704 - svg.js escapes its input

    def _drawing_table(self, drawing: Drawing) -> Markup:
        return Markup(self._drawn[drawing].table)  # noqa: S704 - as above

    def _text(self, text: Text) -> Markup:
        renderer, options = self._markdown.renderer, self._markdown.options
        rendered = renderer.render(list(text.tokens), options, {})
        return Markup(rendered)  # noqa: S704 - markdown-it escapes, and HTML is disabled

    def _docstring(self, text: str) -> Markup:
        return Markup(self._markdown.render(text))  # noqa: S704 - HTML is disabled

    def _docstring_line(self, text: str) -> Markup:
        return Markup(self._markdown.renderInline(text))  # noqa: S704 - HTML is disabled

    def _markdown_renderer(self) -> MarkdownIt:
        markdown = MarkdownIt("commonmark", {"html": False}).enable("table")

        def maths(_: object, tokens: list[Token], index: int, *__: object) -> str:
            return str(self._katex(tokens[index].meta["view"]))

        def role(_: object, tokens: list[Token], index: int, *__: object) -> str:
            return self._block(tokens[index].meta["view"]).strip()

        markdown.add_render_rule("maths", maths)
        markdown.add_render_rule("role", role)
        return markdown


def _version(templates: Path, early: dict[str, str]) -> str:
    """A fingerprint of everything that affects how a view is rendered, figures included."""
    figures = templates.parent / "static" / "js" / "figures"
    files = [*sorted(templates.glob("*")), *sorted(figures.glob("*.js"))]
    texts = (f"{file.name}\n{file.read_text('utf-8')}" for file in files)
    return fingerprint(builder_version(), *texts, *sorted(early.values()))


def _problem(error: TemplateError, folder: Path) -> Problem:
    """The problem, at the innermost template line of the traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [(f.filename, f.lineno or 0) for f in frames if Path(f.filename).parent == folder]
    if isinstance(error, TemplateSyntaxError):
        places.append((error.filename or "", error.lineno))
    filename, line = places[-1] if places else (str(folder), 0)
    path = Path(filename).relative_to(folder.parent).as_posix()
    return Problem(path=path, line=line, what=f"this template fails: {error}", remedy="correct it")


def _json_in_script(text: str) -> Markup:
    """JSON in a script element, where `</` must be escaped and entities are not decoded."""
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 - no tag can start
