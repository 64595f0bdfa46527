"""Run tools in Node, and cache their answers."""

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
        name: prefix of cache entries.
        script: a module that exports `answer(questions, ...args)`.
        decode: makes a record of an answer, new or cached; it rejects an invalid one with a
            ValueError, KeyError or TypeError.
    """

    name: str
    script: Path
    decode: Callable[[Any], Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question for a tool.

    Attributes:
        value: the tool's input, as JSON.
        content: everything that the answer depends on, besides scripts and package versions;
            if empty, `value` itself.
    """

    value: object
    content: tuple[str | bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Tools:
    """The Node process for tools, and the cache of their answers."""

    node: Node
    cache: Cache

    def ask(
        self,
        tool: Tool[Answer],
        questions: Mapping[Asked, Question],
        report: Callable[[Asked, dict[str, Any]], None],
        *args: object,
    ) -> dict[Asked, Answer]:
        """The answers, in the order of the questions; runs the tool only for those not cached.

        Args:
            tool: the tool.
            questions: the questions by key.
            report: called for each failed question, with its key and the tool's reply (`error`).
            args: further arguments of the tool.
        """
        scripts = sorted(tool.script.parent.glob("*.mjs"))  # it may import the others
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
