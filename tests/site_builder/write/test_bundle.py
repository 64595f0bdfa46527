import io
import os
import time
import zipfile
from typing import Any

import pytest

from site_builder.write.bundle import bundle
from tests.site_builder.projects import OPS, REPOSITORY, Project

CHECKS: dict[str, Any] = {"small": {"equations": {}, "gradients": ""}}
FOLDERS = [("src/tiny", "tiny"), ("src/lessons", "lessons")]


def test_the_files_are_those_of_the_project(built_tiny: Project) -> None:
    with zipfile.ZipFile(io.BytesIO(bundle(built_tiny.root, FOLDERS, CHECKS))) as archive:
        names = archive.namelist()
        assert archive.read("tiny/ops.py").decode() == built_tiny.read(OPS)
        runner = (REPOSITORY / "src/runner/examples.py").read_bytes()
        assert archive.read("runner/examples.py") == runner
    assert names == sorted(names)
    assert {"lessons/small.py", "eqcheck/observe.py", "runner/browser.py"} <= set(names)
    assert [name for name in names if not name.endswith(".py")] == ["checks/small.json"]
    assert not any(name.startswith("tests") for name in names)


def test_the_same_bytes_whenever_it_is_packed(
    tiny: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = bundle(tiny.root, FOLDERS, CHECKS)
    monkeypatch.setattr(time, "time", lambda: 1e9)
    os.utime(tiny.root / OPS, (0, 0))
    (tiny.root / OPS).chmod(0o600)
    assert bundle(tiny.root, FOLDERS, CHECKS) == before
