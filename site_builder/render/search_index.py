"""Make the search index with Pagefind."""

import base64
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from site_builder.problem import Place, Report
from site_builder.render.tools import Question, Tool, Tools
from site_builder.resolve.search import SearchRecord

SEARCH = "search"


def _files_and_ids(answer: dict[str, Any]) -> tuple[dict[str, bytes], list[str]]:
    files = {path: base64.b64decode(data) for path, data in answer["files"].items()}
    return files, answer["ids"]


PAGEFIND = Tool(
    name="search", script=Path(__file__).with_name("pagefind.mjs"), decode=_files_and_ids
)


def search_index(records: list[SearchRecord], tools: Tools, report: Report) -> dict[str, bytes]:
    """The files of the search, by their path in the site.

    These are Pagefind's own files, with the word index, and records.json.
    """

    def failed(_: str, reply: dict[str, Any]) -> None:
        what = f"Pagefind cannot make the search index: {reply['error']}"
        report.add(Place(path="package-lock.json"), what, "run 'npm ci', and build again")

    question = Question(value=[_words(record) for record in records])
    found = tools.ask(PAGEFIND, {SEARCH: question}, failed).get(SEARCH)
    if found is None:
        return {}
    files, ids = found
    shown = {id_: _shown(record) for id_, record in zip(ids, records, strict=True)}
    table = {"files": sorted(files), "records": shown}
    texts = json.dumps(table, ensure_ascii=False, sort_keys=True)
    return {
        **{f"{SEARCH}/{path}": data for path, data in files.items()},
        f"{SEARCH}/records.json": texts.encode(),
    }


def _words(record: SearchRecord) -> dict[str, str]:
    """The text that is indexed for a record; for lines of a file, with the function's name."""
    title = "" if record.kind == "Source" else record.title
    # Pagefind omits records without content, so the content includes the title. The text comes
    # first, so that positions in the content are positions in the text.
    return {"title": title, "content": f"{record.text}\n{record.words}\n{title}"}


def _shown(record: SearchRecord) -> dict[str, Any]:
    """A record for the browser, without empty fields."""
    return {name: value for name, value in asdict(record).items() if value}
