"""Tools that run in one Node process for all tests, each test with a cache of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from site_builder.cache import Cache
from site_builder.render.node import Node
from site_builder.render.tools import Tools


@pytest.fixture(scope="session")
def node() -> Iterator[Node]:
    with Node() as node:
        yield node


@pytest.fixture
def tools(node: Node, tmp_path: Path) -> Tools:
    return Tools(node, Cache(tmp_path / "cache"))
