"""Make the search index with Pagefind, in one Node process."""

import base64
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from site_builder.cache import Cache, fingerprint
from site_builder.problem import Report
from site_builder.render.node import ask_node
from site_builder.resolve.search import SearchRecord

SEARCH = "search"
_SCRIPT = Path(__file__).with_name("pagefind.mjs")
_LOCK = _SCRIPT.parent.parent.parent / "package-lock.json"


def search_index(records: list[SearchRecord], cache: Cache, report: Report) -> dict[str, bytes]:
    """The files of the search by their path in the site.

    Pagefind's own, with its index of the words, and records.json: the records.
    Node is asked only where a record, the script or a package's version has changed.
    """
    questions = [_question(record) for record in records]
    asked = json.dumps(questions)
    key = fingerprint(_SCRIPT.read_bytes(), _LOCK.read_bytes(), asked)
    kept = cache.get("search") or {}
    if kept.get("key") != key:
        (answer,) = ask_node(_SCRIPT, [questions])
        if "error" in answer:
            what = f"Pagefind cannot make the search index: {answer['error']}"
            report.add("package-lock.json", 0, what, "run 'npm ci', and build again")
            return {}
        kept = {"key": key, **answer}
        cache.put("search", kept)
    files = {f"{SEARCH}/{p}": base64.b64decode(data) for p, data in kept["files"].items()}
    shown = {id_: _shown(record) for id_, record in zip(kept["ids"], records, strict=True)}
    index = sorted(kept["files"])
    texts = json.dumps({"files": index, "records": shown}, ensure_ascii=False, sort_keys=True)
    return {**files, f"{SEARCH}/records.json": texts.encode()}


def _question(record: SearchRecord) -> dict[str, str]:
    """What words a record is found by. Lines of a file have the name of their function in them."""
    title = "" if record.kind == "Source" else record.title
    # Pagefind leaves out what has no content, so the title is there, too; the text comes first, so
    # that the places of its words are their numbers.
    return {"title": title, "content": f"{record.text}\n{record.words}\n{title}"}


def _shown(record: SearchRecord) -> dict[str, Any]:
    """A record for the browser, without what is empty."""
    return {name: value for name, value in asdict(record).items() if value}
