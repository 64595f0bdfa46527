"""What holds of whole builds: same input, same bytes; moved lines, moved links; killed, kept."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from site_builder.write.folder import recover, write_folder
from tests.site.html import line_text, parse
from tests.site_builder.projects import (
    REPOSITORY,
    Project,
    build_command,
    copy_repository,
    run_build,
    tree,
)

pytestmark = pytest.mark.slow

OPS = "src/tinygpt/ops.py"


@pytest.mark.site
def test_the_same_bytes_in_any_place_locale_and_time_zone(
    built_site: Project, tmp_path: Path
) -> None:
    """Without any cache, in another folder, in another process."""
    other = copy_repository(tmp_path / "another place" / "ü")
    environment = {"LC_ALL": "C", "TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1", "LANG": "C"}
    run = run_build(other.root, environment=environment)
    assert run.returncode == 0, run.stderr
    assert tree(other.root / "dist") == tree(built_site.root / "dist")


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C.UTF-8", "TZ": "America/St_Johns"},
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "12345"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONSTARTUP": "nothing.py", "PYTHONPATH": "nothing"},
    ],
)
def test_the_same_bytes_whatever_the_environment(
    tiny: Project, environment: dict[str, str]
) -> None:
    tiny.replace("content/small.md", "It is said", "It is — ü — said")
    assert tiny.build().code == 0
    before = tree(tiny.root / "dist")
    shutil.rmtree(tiny.root / ".cache/site")
    run = run_build(tiny.root, "--force", environment=environment)
    assert run.returncode == 0, run.stderr
    assert tree(tiny.root / "dist") == before


def test_problems_can_be_printed_in_any_locale(tiny: Project) -> None:
    tiny.append("content/small.md", "\n## Größe → 1\n")
    run = run_build(tiny.root, environment={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0",
                                            "PYTHONUTF8": "0"})  # fmt: skip
    assert run.returncode == 1
    assert "Traceback" not in run.stderr
    assert "has no id" in run.stderr


# Whatever names lines of ops.py on a page: links, the numbers in listings, what examples observe.
_NAMES_A_LINE = re.compile(
    r"""(?P<before>source/ops\.html\#L|"\#ops-L|\bops\.py:|id="ops-L
        |"function":\ "tinygpt\.ops\.\w+",\ "name":\ "(?:[^"\\]|\\.)*",\ )
        (?P<lines>\d+(?:-L?\d+)?(?:"\ aria-label="Line\ \d+">\d+|">\d+(?:-\d+)?)?
        |"line":\ \d+)""",
    re.VERBOSE,
)

# The number in a box of a graph, where it is the line in ops.py that the box leads to.
_IN_A_BOX = re.compile(
    r"""(?P<before>href="source/ops\.html\#L(?P<first>\d+)[^"]*"(?:(?!</a>).)*?class="corner"[^>]*>)
        (?P<lines>(?P=first)(?:-\d+)?)(?=<)""",
    re.DOTALL | re.VERBOSE,
)


def _moved(text: str) -> str:
    """A page's text as it has to be when everything in ops.py stands three lines further down."""
    return _NAMES_A_LINE.sub(_three_further, _IN_A_BOX.sub(_three_further, text))


def _three_further(match: re.Match[str]) -> str:
    return match["before"] + re.sub(r"\d+", lambda n: f"{int(n[0]) + 3}", match["lines"])


_IN_NOTEBOOKS = re.compile(
    r"(?P<before>(?<![\w/])ops\.py:|src/tinygpt/ops\.py, lines? )(?P<lines>\d+(?:(?:-| to )\d+)?)"
)


def _moved_notebook(text: str) -> str:
    return _IN_NOTEBOOKS.sub(_three_further, text)


def _moved_table(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, list):
        return [_moved_table(item) for item in value]
    if isinstance(value, dict):
        here = value.get("file") == OPS
        return {
            name: item + 3 if here and name in ("first", "last") else _moved_table(item)
            for name, item in value.items()
        }
    return _moved(value) if isinstance(value, str) else value


def _lines(html: str) -> list[tuple[str, list[str]]]:
    """The lines of a source page: the code, and the equations beside it."""
    lines = parse(html).one("pre", "listing").all("span", "line")
    return [
        (line_text(line), [a.get("href") for a in line.all("a", "equation-link")]) for line in lines
    ]


def _without_search(files: Iterable[str]) -> set[str]:
    """The names of files, but not of those of the search: they are named by their content."""
    return {name for name in files if not name.startswith("search/")}


@pytest.mark.site
def test_three_blank_lines_move_every_link_by_three_and_nothing_else(
    built_site: Project, site: Project
) -> None:
    site.write(OPS, "\n\n\n" + site.read(OPS))
    outcome = site.build()
    assert outcome.code == 0, outcome.errors
    before, after = tree(built_site.root / "dist"), tree(site.root / "dist")
    names = _without_search(before)
    assert names == _without_search(after)
    changed = {name for name in names if before[name] != after[name]}
    assert {"layer-norm.html", "source/ops.html", "explain.json"} <= changed
    for name in changed - {"source/ops.html", "explain.json", "service-worker.js"}:
        moved = _moved_notebook if name.endswith(".ipynb") else _moved
        assert after[name].decode() == moved(before[name].decode()), name
    assert json.loads(after["explain.json"]) == _moved_table(json.loads(before["explain.json"]))
    old, new = before["source/ops.html"].decode(), after["source/ops.html"].decode()
    assert _lines(new) == [("", [])] * 3 + _lines(old)
    links = [[a.get("href") for a in parse(page).one("details").all("a")] for page in (old, new)]
    assert links[1] == [f"#L{int(href.removeprefix('#L')) + 3}" for href in links[0]]


def test_a_wrong_variance_turns_the_tests_red(tmp_path: Path) -> None:
    project = copy_repository(tmp_path)
    project.replace(
        OPS,
        "var = ((X - mu) ** 2).sum(axis=-1, keepdims=True) / d\n",
        "var = ((X - mu) ** 2).sum(axis=-1, keepdims=True) / (d - 1)\n",
    )
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider",
               "-p", "no:randomly", "--rootdir", str(tmp_path), "-o", "pythonpath=src .",
               "--import-mode=importlib", "tests/tinygpt/test_ops.py",
               "-k", "layer_norm_worked_example"]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src")}
    run = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1, run.stdout + run.stderr
    assert "1 failed" in run.stdout
    project.replace(OPS, " / (d - 1)\n", " / d\n")
    run = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.site
def test_a_new_call_needs_a_caption_on_the_page(site: Project) -> None:
    path = "src/tinygpt/transformer.py"
    old = "    Xf, c_lnf = layer_norm_forward("
    site.replace(
        path, old, f'    Xg, _ = layer_norm_forward(X, params["lnf_g"], params["lnf_b"])\n{old}'
    )
    line = site.line("content/layer-norm.md", ":::{shapes} ops.layer_norm_forward")
    called = site.line(path, "Xg, _ =")
    problems = site.problems()
    assert problems[1] == (
        f"content/layer-norm.md:{line}: the call at {path}:{called} has no caption here;"
        " add a row 'tinygpt.transformer.forward:Xg | …'"
    )
    assert len(problems) == 3
    assert "this claim is false: “the model calls this function in two places" in problems[0]
    assert "this claim is false: “Every call in the model passes `cfg.ln_eps`.”" in problems[-1]


def test_a_builder_killed_at_any_moment_leaves_a_whole_site(tiny: Project) -> None:
    """Old or new, never a mixture; the build after it succeeds and clears up."""
    dist = tiny.root / "dist"
    old = tree(dist)
    tiny.replace("content/small.md", "It is said", "It is now said")
    started = time.monotonic()
    assert run_build(tiny.root).returncode == 0
    length = time.monotonic() - started
    new = tree(dist)
    assert new != old
    moments = random.Random(0)  # noqa: S311 - moments to kill at, not secrets
    killed = 0
    text = tiny.read("content/small.md")
    for attempt in range(10):
        tiny.write("content/small.md", text.replace("now", "just now" if attempt % 2 else "now"))
        before = tree(dist)
        process = subprocess.Popen(
            build_command(tiny.root, "--force"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(moments.uniform(0.1, 1.1) * length)
        except subprocess.TimeoutExpired:
            killed += 1
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        after = tree(dist)
        assert _without_search(after) == _without_search(old)
        if after != before:
            assert (b"just now" in after["small.html"]) == bool(attempt % 2)
    assert killed > 0
    tiny.write("content/small.md", text)
    outcome = tiny.build("--force")
    assert outcome.code == 0, outcome.errors
    assert tree(dist) == new
    assert [file.name for file in tiny.root.glob("dist*")] == ["dist"]


_KILL_AT = """\
import os, runpy, sys
from collections.abc import Iterable
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from site_builder.write import folder
moment = int(sys.argv[2])
count = 0
def hook(event, arguments):
    global count
    if event in ("os.rename", "os.mkdir", "shutil.copyfile", "os.remove", "os.rmdir", "open"):
        count += 1
        if count == moment:
            os.kill(os.getpid(), 9)
sys.addaudithook(hook)
if sys.argv[3] == "two steps":
    folder._exchange = lambda *_: False
folder.write_folder(Path(sys.argv[4]), {"a": "new", "b/c": "new", "d": Path(sys.argv[5])})
"""


@pytest.mark.parametrize("way", ["one step", "two steps"])
def test_killed_at_each_step_of_writing(tmp_path: Path, way: str) -> None:
    """The process is killed at its first, second, third … change to the disk."""
    (tmp_path / "source").write_text("new")
    script = tmp_path / "script.py"
    script.write_text(_KILL_AT)
    dist = tmp_path / "dist"
    new = {"a": b"new", "b/c": b"new", "d": b"new"}
    old = {"a": b"old", "e": b"old"}
    seen = []
    for moment in range(1, 40):
        write_folder(dist, {name: data.decode() for name, data in old.items()})
        command = [sys.executable, str(script), str(REPOSITORY), str(moment), way, str(dist)]
        run = subprocess.run([*command, str(tmp_path / "source")], capture_output=True, check=False)
        if run.returncode == 0:
            break
        assert run.returncode == -signal.SIGKILL, run.stderr
        recover(dist)
        found = tree(dist)
        assert found in (old, new), (moment, found)
        seen.append(found == new)
    assert run.returncode == 0
    assert not seen[0]
    assert seen[-1]
