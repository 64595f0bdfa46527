"""The Node process: it answers, fails, is started again, and ends with the builder."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from site_builder.cache import Cache
from site_builder.render.node import Node
from site_builder.render.tools import Question, Tool, Tools
from tests.site_builder.projects import REPOSITORY

_SCRIPT = """\
import { writeFileSync } from "node:fs";
let asked = 0;
export async function answer(questions, extra) {
  console.log("not a reply");
  asked += 1;
  return Promise.all(questions.map(async (question) => {
    if (question === "die") process.exit(7);
    if (question === "throw") throw new Error("it is broken");
    if (question === "pid") return { value: process.pid };
    if (question.touch) writeFileSync(question.touch, "");
    if (question.wait) await new Promise((resolve) => setTimeout(resolve, question.wait));
    return question === "refuse" ? { error: "no" } : { value: question, extra, asked };
  }));
}
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    script = tmp_path / "script.mjs"
    script.write_text(_SCRIPT)
    return script


def test_one_process_answers_all_requests(node: Node, script: Path) -> None:
    assert node.ask(script, ["é\u2028", 2], "x") == [
        {"value": "é\u2028", "extra": "x", "asked": 1},
        {"value": 2, "extra": "x", "asked": 1},
    ]
    assert node.ask(script, [3], {"a": [None]}) == [
        {"value": 3, "extra": {"a": [None]}, "asked": 2}
    ]
    assert node.ask(script, ["pid"]) == node.ask(script, ["pid"])


def test_a_request_does_not_wait_for_one_before_it(
    node: Node, script: Path, tmp_path: Path
) -> None:
    started = tmp_path / "started"
    with ThreadPoolExecutor() as pool:
        slow = pool.submit(node.ask, script, [{"wait": 1000, "touch": str(started)}])
        while not started.exists():
            time.sleep(0.01)
        assert node.ask(script, [1])[0]["value"] == 1
        assert not slow.done()


def test_a_script_that_fails_answers_with_an_error(node: Node, script: Path) -> None:
    assert node.ask(script, [1, "throw"]) == [{"error": "it is broken"}] * 2
    assert node.ask(script, [1])[0]["value"] == 1
    (answer,) = node.ask(script.with_name("nowhere.mjs"), [1])
    assert "nowhere.mjs" in answer["error"]


def test_node_is_started_again_after_it_has_ended(script: Path) -> None:
    with Node() as node:
        assert node.ask(script, ["die"]) == [{"error": "Node ended with code 7 (not a reply)"}]
        assert node.ask(script, [1])[0]["value"] == 1


def test_no_node_is_an_error(monkeypatch: pytest.MonkeyPatch, script: Path) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with Node() as node:
        node.load(script)
        (answer,) = node.ask(script, [1])
    assert "node" in answer["error"]


def test_close_ends_node_also_while_it_works(script: Path) -> None:
    with Node() as node:
        pid = node.ask(script, ["pid"])[0]["value"]
        with ThreadPoolExecutor() as pool:
            waiting = pool.submit(node.ask, script, [{"wait": 60_000}])
            while waiting.running() and not node._pending:  # noqa: SLF001 - until it was sent
                time.sleep(0.01)
            node.close()
            assert waiting.result()[0]["error"].startswith("Node ended with code 0")
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


_BUILDER = """\
import sys
from pathlib import Path
from site_builder.render.node import Node
node = Node()
script = Path(sys.argv[1])
print(node.ask(script, ["pid"])[0]["value"], flush=True)
node.ask(script, [{"wait": 60_000}])
"""


def test_node_ends_with_a_builder_that_is_killed(script: Path) -> None:
    builder = subprocess.Popen(
        [sys.executable, "-c", _BUILDER, str(script)],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert builder.stdout
    with builder:
        pid = int(builder.stdout.readline())
        assert _is_running(pid)
        builder.send_signal(signal.SIGKILL)
    until = time.monotonic() + 10
    while _is_running(pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert not _is_running(pid)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat")
        return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def _value(answer: dict[str, str]) -> str:
    return answer["value"]


def test_only_what_is_not_cached_is_asked(tools: Tools, script: Path) -> None:
    errors: list[tuple[str, str]] = []

    def ask(*questions: str, content: str = "") -> dict[str, str]:
        tool = Tool(name="entry", script=script, decode=_value)
        asked = {q: Question(value=q, content=(q, content) if content else ()) for q in questions}
        return tools.ask(tool, asked, lambda q, reply: errors.append((q, reply["error"])))

    def entries() -> list[str]:
        return [answer["value"] for answer in tools.cache.get("entry").values()]

    assert ask("b", "refuse", "a") == {"b": "b", "a": "a"}
    assert errors == [("refuse", "no")]
    forged = {key: {"value": "cached"} for key in tools.cache.get("entry")}
    tools.cache.put("entry", forged)
    assert ask("a", "b", "c") == {"a": "cached", "b": "cached", "c": "c"}
    assert sorted(entries()) == ["c", "cached", "cached"]
    assert ask("a", content="other") == {"a": "a"}
    assert entries() == ["a"], "what is no longer asked for is dropped"
    script.write_text(f"{_SCRIPT}// another version\n")
    tools.cache.put("entry", {key: {"value": "cached"} for key in tools.cache.get("entry")})
    assert ask("a", content="other") == {"a": "a"}


def test_a_cached_answer_of_another_shape_is_asked_again(
    script: Path, node: Node, tmp_path: Path
) -> None:
    tool = Tool(name="entry", script=script, decode=_value)
    tools = Tools(node, Cache(tmp_path / "cache"))

    def ask() -> dict[str, str]:
        return tools.ask(tool, {"a": Question(value="a")}, lambda *_: pytest.fail("an error"))

    first = ask()
    (key,) = tools.cache.get("entry")
    misfits: tuple[object, ...] = ("text", {}, {"old": "a"}, None, 5, [])
    for misfit in misfits:
        tools.cache.put("entry", {key: misfit})
        assert ask() == first
    entries: tuple[object, ...] = ([], "text", 5, {})
    for entry in entries:
        tools.cache.put("entry", entry)
        assert ask() == first
