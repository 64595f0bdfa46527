"""A Node process that answers requests of the builder."""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from threading import Lock, Thread
from typing import IO, Any, Self, cast

Answer = dict[str, Any]
_HOST = Path(__file__).with_suffix(".mjs")
_LITTLE_GARBAGE = "--max-semi-space-size=2"  # MiB; saves a fifth of the memory at no cost in time


class Node:
    """One Node process for many requests: it starts with the first one, and `close` ends it.

    Any thread may ask, and requests run concurrently. If Node exits early, pending requests fail,
    and the next one restarts it. If the builder is killed, the end of Node's standard input ends
    it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._connection: tuple[IO[str], Thread] | None = None
        self._pending: dict[int, Future[list[Answer]]] = {}
        self._ids = count()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def ask(self, script: Path, questions: Sequence[object], *args: object) -> list[Answer]:
        """The script's answer to each question; an `error` if the script or Node fails.

        Args:
            script: a module that exports `answer(questions, ...args)`.
            questions: each something that JSON can hold.
            args: more of the same, for all questions.
        """
        try:
            return self._request(script, questions, args).result()
        except (OSError, _FailedError) as error:
            return [{"error": str(error)}] * len(questions)

    def load(self, *scripts: Path) -> None:
        """Preload scripts that will be needed soon, without waiting."""
        with suppress(OSError):  # the first request will report it
            for script in scripts:
                self._request(script, None, ())

    def close(self) -> None:
        """End Node."""
        if self._connection:
            stdin, reader = self._connection
            with suppress(BrokenPipeError):
                stdin.close()
            reader.join()

    def _request(
        self, script: Path, questions: Sequence[object] | None, args: Sequence[object]
    ) -> Future[list[Answer]]:
        answers: Future[list[Answer]] = Future()
        with self._lock:
            if self._connection is None:
                self._connection = self._start()
            stdin, _ = self._connection
            id_ = next(self._ids)
            self._pending[id_] = answers
            request = {"id": id_, "script": str(script), "questions": questions, "args": args}
            with suppress(BrokenPipeError):  # Node has exited: the reader thread fails the request
                stdin.write(f"{json.dumps(request)}\n")
                stdin.flush()
        return answers

    def _start(self) -> tuple[IO[str], Thread]:
        """Start Node: its standard input, and the thread that reads its output to the end."""
        with ExitStack() as opened:
            errors = opened.enter_context(tempfile.TemporaryFile("w+", errors="replace"))
            process = subprocess.Popen(
                ["node", _LITTLE_GARBAGE, str(_HOST)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                encoding="utf-8",
            )
            opened.pop_all()  # the reader thread closes it
        stdin = cast("IO[str]", process.stdin)
        reader = Thread(target=self._read, args=(process, errors), daemon=True)
        reader.start()
        return stdin, reader

    def _read(self, process: subprocess.Popen[str], errors: IO[str]) -> None:
        """Deliver each reply; when Node exits, fail the pending requests."""
        for line in cast("IO[str]", process.stdout):
            reply = json.loads(line)
            answers = self._pending.pop(reply["id"])
            if "error" in reply:
                answers.set_exception(_FailedError(reply["error"]))
            else:
                answers.set_result(reply["answers"])
        process.wait()
        with self._lock, suppress(BrokenPipeError), process:  # nothing writes to it any more
            pending, self._pending, self._connection = self._pending, {}, None
        with errors:
            errors.seek(0)
            last = (errors.read().strip().splitlines() or ["no output"])[-1]
        for answers in pending.values():
            failure = f"Node ended with code {process.returncode} ({last})"
            answers.set_exception(_FailedError(failure))


class _FailedError(Exception):
    """A script failed, or Node did."""
