"""A static host such as the site will have: under a path, with right MIME types, no headers."""

import contextlib
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

from site_builder.serve import Server

PREFIX = "/gpt"  # sites of projects are served below a path


class _Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012 - as the base class has it
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix(PREFIX))

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@contextlib.contextmanager
def static_host(folder: Path) -> Iterator[str]:
    """Serve a folder; yields the address of its top, with a slash at the end."""
    handler = functools.partial(_Handler, directory=str(folder))
    server = Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{PREFIX}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
