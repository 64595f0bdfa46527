"""A progress bar on a stream."""

import sys
import time
from typing import TextIO

WIDTH = 28
REDRAW_SECONDS = 0.1
PLAIN_LINES = 10  # how many lines to print where no bar can be redrawn, as in a log file


class ProgressBar:
    """Shows steps, loss and time left; redrawn in place on a terminal, else a line now and then."""

    def __init__(self, total: int, start: int = 0, stream: TextIO | None = None) -> None:
        """Count from `start` to `total` on `stream`, which is standard error by default."""
        self.total = total
        self.start = start
        self.stream = stream or sys.stderr
        self.began = time.monotonic()
        self.drawn = float("-inf")
        self.length = 0

    def update(self, step: int, loss: float) -> None:
        """Show that `step` steps are done."""
        last = step >= self.total
        now = time.monotonic()
        if self.stream.isatty():
            if last or now - self.drawn >= REDRAW_SECONDS:
                self.drawn = now
                text = self.line(step, loss, now - self.began)
                self.stream.write("\r" + text.ljust(self.length) + ("\n" if last else ""))
                self.length = len(text)
        elif last or step % max(1, self.total // PLAIN_LINES) == 0:
            self.stream.write(self.line(step, loss, now - self.began) + "\n")
        self.stream.flush()

    def line(self, step: int, loss: float, elapsed: float) -> str:
        """Write one state of the bar."""
        filled = WIDTH * step // self.total
        left = elapsed / max(1, step - self.start) * (self.total - step)
        return (
            f"[{'#' * filled}{'.' * (WIDTH - filled)}] {step}/{self.total}"
            f"  loss {loss:.3f}  {elapsed:.0f} s, {left:.0f} s left"
        )
