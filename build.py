#!/usr/bin/env python3
"""Build the site: `python build.py`, `python build.py serve`, `python build.py check`."""

import argparse
import gc
import os
import sys
import time
from pathlib import Path

from site_builder.chromium import find_chromium, identity
from site_builder.stamp import is_current, stamp

DESCRIPTION = """\
Builds the website that explains the code in src/ from that code and the pages in content/.

  python build.py          write the site to dist/
  python build.py serve    build, serve on http://localhost:8000, rebuild and reload on each change
  python build.py check    find everything that is wrong, and write nothing
  python build.py ids      add new ids to content/ids.txt, the list of all that were ever published

Problems are printed as `path:line: what, and what to do`, all of them at once. The exit code is
then 1, and dist/ keeps the last good site. Exit code 2 means that the command line is wrong.
"""


def main() -> int:
    """Run the command line; returns the exit code."""
    arguments = _parser().parse_args()
    # Imported late because it is slow: --help and an unchanged site do not need it.
    root = arguments.root.resolve()
    if arguments.command == "serve":
        from site_builder.serve import serve  # noqa: PLC0415

        return serve(root, arguments.port, without_runtime=arguments.without_runtime)
    if arguments.command == "ids":
        return _list_ids(root)
    browser = "" if arguments.without_pdf else identity(find_chromium(os.environ))
    options = " ".join(
        [
            *(str(option) for option in (arguments.without_runtime, arguments.without_pdf)),
            os.environ.get("GITHUB_REPOSITORY", ""),
            browser,
        ]
    )
    key = stamp(root, options)
    if arguments.command == "build" and not arguments.force and is_current(root, key):
        print("dist/ is up to date")
        return 0
    from site_builder.command import build_site  # noqa: PLC0415

    started = time.perf_counter()
    write = arguments.command == "build"
    summary = build_site(
        root,
        without_runtime=arguments.without_runtime,
        without_pdf=arguments.without_pdf or not write,
        key=key if write else None,
    )
    if summary is None:
        return 1
    done = "dist/ holds" if write else "nothing is wrong with"
    print(f"{done} {summary} ({time.perf_counter() - started:.1f} s)")
    return 0


def _list_ids(root: Path) -> int:
    from site_builder.command import list_ids  # noqa: PLC0415

    count = list_ids(root)
    if count is None:
        return 1
    print(f"{count} new in content/ids.txt")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="build.py",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "command",
        nargs="?",
        default="build",
        choices=["build", "serve", "check", "ids"],
        help=argparse.SUPPRESS,
    )
    parser.add_argument(
        "--without-runtime",
        action="store_true",
        help="omit Python for the browser: examples then show only their recorded results",
    )
    parser.add_argument(
        "--without-pdf",
        action="store_true",
        help="omit the PDF of all pages and the preview pictures: both need Chromium",
    )
    parser.add_argument("--force", action="store_true", help="build even if nothing has changed")
    parser.add_argument("--port", type=int, default=8000, help="port to serve on (default: 8000)")
    parser.add_argument(
        "--root",
        type=Path,
        default=Path(__file__).parent,
        metavar="FOLDER",
        help="the project to build (default: the folder that contains build.py)",
    )
    return parser


if __name__ == "__main__":
    gc.disable()  # the process is short-lived and frees almost nothing before it ends
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)  # the shells' code for an interrupt; dist/ is unchanged
