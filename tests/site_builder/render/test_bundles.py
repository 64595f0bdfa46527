from pathlib import Path

from site_builder.cache import Cache
from site_builder.problem import Report
from site_builder.render import bundles as module
from site_builder.render.bundles import bundles
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


def test_node_is_asked_once(tmp_path: Path) -> None:
    folder = tmp_path / module.BUNDLES
    folder.mkdir(parents=True)
    (folder / "answer.js").write_text("export const answer = 6 * 7;\n", "utf-8")
    cache, report = Cache(tmp_path / "cache"), Report()
    first = bundles(tmp_path, cache, report)
    assert first == {"static/js/bundles/answer.js": "var e=42;export{e as answer};\n"}
    kept = cache.get("bundles")
    assert kept
    cache.put("bundles", {**kept, "code": {"from": "the cache"}})
    assert bundles(tmp_path, cache, report) == {"from": "the cache"}
    (folder / "answer.js").write_text("export const answer = 6 * 9;\n", "utf-8")
    assert bundles(tmp_path, cache, report) != {"from": "the cache"}
