"""Serve dist/ for authors: rebuild on each change, then reload the browser."""

import gc
import http.server
import os
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar, NoReturn

import watchfiles

from site_builder.cache import Cache
from site_builder.command import rebuild
from site_builder.pipeline import Builder
from site_builder.stamp import CACHE, DIST

_WATCHED = ("content", "src", "static", "templates", "tests")
_OWN = Path(__file__).parent
_BUILDER = (_OWN, _OWN.parent / "src" / "eqcheck", _OWN.parent / "src" / "runner")
_RELOAD_PATH = "/-/reload"
_RELOAD_SCRIPT_PATH = "/-/reload.js"
_RELOAD_SCRIPT = f'new EventSource("{_RELOAD_PATH}").onmessage = () => location.reload();'
_RELOAD_ELEMENT = f'<script src="{_RELOAD_SCRIPT_PATH}"></script>'.encode()
# Removes itself, and the caches of any release that was served on this port before.
NO_SERVICE_WORKER = """\
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
  for (const client of await self.clients.matchAll()) client.navigate(client.url);
})()));
"""
_PING_SECONDS = 15
_TICK_MS = 100
_STEP_MS = 20  # changes at shorter intervals are treated as one
_PAUSE_MS = 1000  # how long to wait for further changes before a full build
_BUILD = Path(__file__).parent.parent / "build.py"


def serve(root: Path, port: int, *, without_runtime: bool) -> int:
    """Build, serve and watch until interrupted; returns the exit code."""
    builds = Builds()

    class Handler(SiteHandler):
        site = root / DIST
        news = builds

    try:
        server = Server(("127.0.0.1", port), Handler)
    except OSError as error:
        print(f"port {port} cannot be used ({error.strerror}); choose another with --port",
              file=sys.stderr)  # fmt: skip
        return 1
    threading.Thread(target=server.serve_forever, daemon=True).start()
    gc.enable()  # a server is long-lived
    try:
        with Builder(root, Cache(root / CACHE)) as builder:
            # Authors do not wait for the PDF; `make build` makes it.
            build = partial(rebuild, root, builder, without_runtime=without_runtime)
            build_and_watch(root, build, builds, server.server_port)
    except KeyboardInterrupt:
        server.shutdown()
        return 0
    server.shutdown()
    server.server_close()
    return _start_again(root, server.server_port, without_runtime=without_runtime)


def _start_again(root: Path, port: int, *, without_runtime: bool) -> NoReturn:
    """Replace this process by a new one that runs the current builder."""
    command = [sys.executable, str(_BUILD), "serve", "--root", str(root), "--port", str(port)]
    command += ["--without-runtime"] if without_runtime else []
    os.execv(sys.executable, command)  # noqa: S606 - no shell is needed


def build_and_watch(root: Path, build: Callable[..., bool], builds: "Builds", port: int) -> None:
    """Build, then rebuild after each change, until the builder itself changes.

    Args:
        root: the project's folder.
        build: builds, and returns whether it succeeded. With `quick`, it may postpone what pages do
            not need.
        builds: notifies browsers.
        port: where the site is served.
    """
    folders = [root / name for name in _WATCHED if (root / name).is_dir()]
    changes = watchfiles.watch(
        *folders, *_BUILDER, step=_STEP_MS, rust_timeout=_TICK_MS, yield_on_timeout=True
    )
    next(changes)  # start watching now, so that no later change is missed
    build(quick=False)
    print(f"serving on http://localhost:{port} (Ctrl-C to stop)", flush=True)
    idle = -1  # ticks since a quick build; -1 if nothing was postponed
    for changed in changes:
        if any(Path(path).is_relative_to(folder) for _, path in changed for folder in _BUILDER):
            return
        if changed:
            if build(quick=True):
                builds.announce()
                idle = 0
        elif idle >= 0:
            idle += 1
            if idle * _TICK_MS >= _PAUSE_MS:
                build(quick=False)
                idle = -1


class Server(http.server.ThreadingHTTPServer):
    """Ignores browsers that disconnect in the middle of a response."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Print the error, unless the client disconnected."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class Builds:
    """Lets browsers wait for the next successful build."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.count = 0

    def announce(self) -> None:
        """Announce a new build."""
        with self._changed:
            self.count += 1
            self._changed.notify_all()

    def wait(self, seen: int, seconds: float) -> int:
        """The number of builds, once it differs from `seen` or the time is up."""
        with self._changed:
            self._changed.wait_for(lambda: self.count != seen, timeout=seconds)
            return self.count


class SiteHandler(http.server.SimpleHTTPRequestHandler):
    """Serves the site as a static host would, and adds the reload script to pages."""

    site: ClassVar[Path]
    news: ClassVar[Builds]
    protocol_version = "HTTP/1.1"
    extensions_map = {  # noqa: RUF012 - as in the base class
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".json": "application/json",
        ".mjs": "text/javascript",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
        ".whl": "application/zip",
        ".zip": "application/zip",
    }

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, directory=str(self.site), **options)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """Send a page, another file, or the stream that announces builds."""
        if self.path == _RELOAD_PATH:
            self._stream_builds()
            return
        if self.path == "/service-worker.js":
            self._send(NO_SERVICE_WORKER.encode(), "text/javascript", 200)
            return
        if self.path == _RELOAD_SCRIPT_PATH:
            self._send(_RELOAD_SCRIPT.encode(), "text/javascript", 200)
            return
        path = Path(self.translate_path(self.path))
        if path.is_dir() and self.path.endswith("/"):
            path /= "index.html"
        if path.suffix == ".html" and path.is_file():
            self._send_page(path, 200)
        elif path.exists():
            super().do_GET()
        elif (self.site / "404.html").is_file():
            self._send_page(self.site / "404.html", 404)
        else:
            self.send_error(404, "There is no site yet: see what the build printed")

    def end_headers(self) -> None:
        """Disable caching, since files change at any time."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Print failed requests only."""
        if str(code).startswith(("4", "5")):
            super().log_request(str(code), str(size))

    def _send_page(self, path: Path, status: int) -> None:
        body = path.read_bytes().replace(b"</head>", _RELOAD_ELEMENT + b"</head>", 1)
        self._send(body, "text/html; charset=utf-8", status)

    def _send(self, body: bytes, kind: str, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream_builds(self) -> None:
        seen = self.news.count
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            while True:
                count = self.news.wait(seen, _PING_SECONDS)
                self.wfile.write(b": waiting\n\n" if count == seen else b"data: built\n\n")
                self.wfile.flush()
                seen = count
        except OSError:
            return  # the browser has disconnected
