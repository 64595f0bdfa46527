"""Ask tools that run in Node, and cache their answers."""

import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from site_builder.cache import Cache, decoded, fingerprint
from site_builder.render.node import Node

PACKAGES = Path(__file__).parent.parent.parent / "node_modules"
_LOCK = PACKAGES.with_name("package-lock.json")

Asked = TypeVar("Asked", bound=Hashable)
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[Answer]):
    """A script that Node runs.

    Attributes:
        name: of the cache's entry.
        script: a module that exports `answer(questions, ...args)`.
        decode: what the builder makes of an answer, and of one from the cache; it refuses what
            does not fit with a ValueError, KeyError or TypeError.
    """

    name: str
    script: Path
    decode: Callable[[Any], Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question for a tool.

    Attributes:
        value: what the tool gets, as JSON.
        content: all that the answer depends on, next to the scripts and the versions of packages;
            `value` itself if it is empty.
    """

    value: object
    content: tuple[str | bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Tools:
    """Where tools run, and where their answers are cached."""

    node: Node
    cache: Cache

    def ask(
        self,
        tool: Tool[Answer],
        questions: Mapping[Asked, Question],
        report: Callable[[Asked, dict[str, Any]], None],
        *args: object,
    ) -> dict[Asked, Answer]:
        """The answers, in the order of the questions; only what is not cached is asked.

        Args:
            tool: which one.
            questions: by whatever they are about.
            report: called for each question that has no answer, with what the tool said: `error`.
            args: for the tool, next to the questions.
        """
        scripts = sorted(tool.script.parent.glob("*.mjs"))  # it may import others
        version = fingerprint(*(file.read_bytes() for file in (*scripts, _LOCK)))
        keys = {asked: _key(version, question) for asked, question in questions.items()}
        cached = self.cache.get(tool.name, dict) or {}
        found = {asked: decoded(cached.get(key), tool.decode) for asked, key in keys.items()}
        answers = {asked: answer for asked, answer in found.items() if answer is not None}
        missing = [asked for asked in questions if asked not in answers]
        if missing:
            values = [questions[asked].value for asked in missing]
            replies = dict(zip(missing, self.node.ask(tool.script, values, *args), strict=True))
            good = {asked: reply for asked, reply in replies.items() if "error" not in reply}
            answers |= {asked: tool.decode(reply) for asked, reply in good.items()}
            cached |= {keys[asked]: reply for asked, reply in good.items()}
            if good:
                in_use = {key: cached[key] for key in sorted(keys.values()) if key in cached}
                self.cache.put(tool.name, in_use)
            for asked in replies.keys() - good.keys():
                report(asked, replies[asked])
        return {asked: answers[asked] for asked in questions if asked in answers}


def _key(version: str, question: Question) -> str:
    return fingerprint(version, *(question.content or (json.dumps(question.value),)))
