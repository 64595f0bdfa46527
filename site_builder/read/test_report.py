"""Which tests of the subject passed, for exactly the code being built.

A test run leaves a report in the cache, which is valid only for identical code.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from site_builder.atomic import write_file
from site_builder.cache import fingerprint
from site_builder.read.codebase import Codebase

REPORT_PATH = ".cache/site/tests.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class TestReport:
    """Names of the tests that passed and that did not, in order."""

    __test__ = False  # pytest would collect it otherwise

    passed: tuple[str, ...]
    failed: tuple[str, ...]


def code_fingerprint(codebase: Codebase) -> str:
    """A fingerprint of the code that is explained, its tests and its lessons."""
    return fingerprint(*(f"{m.path}\n{m.text}" for m in codebase.modules.values()))


def write_test_report(root: Path, code: str, outcomes: dict[str, bool]) -> None:
    """Save the outcomes of a test run of the code with that fingerprint."""
    table = {"code": code, "outcomes": dict(sorted(outcomes.items()))}
    write_file(root / REPORT_PATH, json.dumps(table).encode())


def read_test_report(root: Path, codebase: Codebase) -> TestReport | None:
    """The report of the last run, if it was for this code."""
    try:
        table = json.loads((root / REPORT_PATH).read_bytes())
        if table["code"] != code_fingerprint(codebase):
            return None
        outcomes: dict[str, bool] = table["outcomes"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return TestReport(
        passed=tuple(name for name, passed in outcomes.items() if passed),
        failed=tuple(name for name, passed in outcomes.items() if not passed),
    )
