import io

import pytest

from tinygpt.progress import ProgressBar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_one_line_of_the_bar() -> None:
    bar = ProgressBar(total=200, start=50, stream=io.StringIO())
    assert bar.line(100, 1.23456, elapsed=10.0) == (
        "[##############..............] 100/200  loss 1.235  10 s, 20 s left"
    )


def test_a_log_gets_a_line_now_and_then() -> None:
    stream = io.StringIO()
    bar = ProgressBar(total=100, stream=stream)
    for step in range(1, 101):
        bar.update(step, loss=1.0)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 10
    assert "\r" not in stream.getvalue()
    assert lines[-1].startswith("[############################] 100/100")


def test_a_terminal_gets_one_line_that_is_redrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tinygpt.progress.REDRAW_SECONDS", 0.0)
    stream = Terminal()
    bar = ProgressBar(total=3, stream=stream)
    bar.update(1, loss=1000.0)
    bar.update(2, loss=1.0)
    bar.update(3, loss=1.0)
    text = stream.getvalue()
    assert text.count("\r") == 3
    assert text.count("\n") == 1
    assert text.endswith("\n")
    first, second, _ = text[1:].split("\r")
    assert len(second) == len(first)  # padded, so that nothing of a longer line stays


def test_a_terminal_is_not_redrawn_at_every_step() -> None:
    stream = Terminal()
    bar = ProgressBar(total=1000, stream=stream)
    for step in range(1, 1000):
        bar.update(step, loss=1.0)
    assert stream.getvalue().count("\r") < 500
