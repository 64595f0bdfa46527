"""A static host such as the site will have: under a path, with right MIME types, compressing."""

import contextlib
import functools
import gzip
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

from site_builder.serve import Server

PREFIX = "/gpt"  # sites of projects are served below a path
_COMPRESSED = {".html", ".css", ".js", ".mjs", ".json", ".svg", ".wasm", ".xml", ".txt", ".md"}


class _Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012 - as the base class has it
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    protocol_version = "HTTP/1.1"  # which keeps connections

    def do_GET(self) -> None:
        file = Path(self.translate_path(self.path))
        accepted = self.headers.get("Accept-Encoding", "")
        if file.suffix not in _COMPRESSED or "gzip" not in accepted or not file.is_file():
            super().do_GET()
            return
        body = _compressed(file, file.stat().st_mtime_ns)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(file))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix(PREFIX))

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@functools.lru_cache(maxsize=256)
def _compressed(file: Path, _changed: int) -> bytes:
    return gzip.compress(file.read_bytes(), 6, mtime=0)


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
