from pathlib import Path

from site_builder.problem import Report
from site_builder.render import esbuild as module
from site_builder.render.esbuild import scripts_and_styles
from site_builder.render.tools import Tools
from tests.site_builder.projects import Project

EDITOR = "static/js/bundles/codemirror.js"
BUDGET = 380_000  # bytes, minified, before the host compresses them


def test_the_editor_is_one_file_within_its_budget(built_tiny: Project) -> None:
    code = built_tiny.page(EDITOR)
    assert "EditorView" in code.rpartition("export{")[2]
    assert 'from"@' not in code
    assert len(code.encode()) < BUDGET


def test_a_package_that_is_not_there_is_named_at_its_line(tiny: Project) -> None:
    tiny.write(EDITOR, '// The parts.\nexport { x } from "no-such-package";\n')
    assert tiny.problem() == (
        f'{EDITOR}:2: esbuild cannot bundle this: Could not resolve "no-such-package";'
        " correct it, or add the package to package.json"
    )


def test_scripts_stay_the_files_that_they_are_without_comments(built_tiny: Project) -> None:
    script = built_tiny.page("static/js/page.js")
    assert 'from"./scrollers.js"' in script
    assert "//" not in script
    assert "/*" not in built_tiny.page("static/styles.css")


def test_only_what_has_changed_is_made_anew(tmp_path: Path, tools: Tools) -> None:
    folder = tmp_path / module.BUNDLES
    folder.mkdir(parents=True)
    (tmp_path / "static/a.css").write_text("a { color: red }\n", "utf-8")
    (tmp_path / module.STYLES).write_text('@import "a.css";\n', "utf-8")
    (tmp_path / module.SCRIPTS / "page.js").write_text("export const page = 1;\n", "utf-8")
    (folder / "answer.js").write_text("export const answer = 6 * 7;\n", "utf-8")
    report = Report()
    first = scripts_and_styles(tmp_path, tools, report)
    styles, page, answer = module.STYLES, "static/js/page.js", "static/js/bundles/answer.js"
    assert first == {
        answer: "var e=42;export{e as answer};\n",
        page: "const e=1;export{e as page};\n",
        styles: "a{color:red}\n",
    }
    assert scripts_and_styles(tmp_path, tools, report) == first  # each its own, from the cache
    for path, text, changed in (
        (page, "export const page = 2;\n", {page, styles, answer}),  # bundles may import it
        ("static/a.css", "a { color: blue }\n", {styles, answer}),
        (answer, "export const answer = 6 * 9;\n", {styles, answer}),
    ):
        cached = {key: {"code": "from the cache"} for key in tools.cache.get("bundles")}
        tools.cache.put("bundles", cached)
        assert set(scripts_and_styles(tmp_path, tools, report).values()) == {"from the cache"}
        (tmp_path / path).write_text(text, "utf-8")
        found = scripts_and_styles(tmp_path, tools, report)
        assert {path for path, code in found.items() if code != "from the cache"} == changed
    report.raise_if_any()
