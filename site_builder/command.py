"""The commands: build, print problems, write."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from site_builder.cache import Cache
from site_builder.pipeline import Builder, BuiltSite, build
from site_builder.problem import BuildError
from site_builder.read.runtime import (
    WHEEL_FOLDER_VARIABLE,
    Runtime,
    RuntimeMissingError,
    find_runtime,
)
from site_builder.render.chromium import LEFT_OUT, find_browser
from site_builder.stamp import CACHE, DIST, write_stamp
from site_builder.write.folder import write_folder
from site_builder.write.ids import add_ids


def build_site(
    root: Path, *, without_runtime: bool, without_pdf: bool, key: str | None
) -> str | None:
    """Build and write the site, or print the problems.

    Args:
        root: the project's folder.
        without_runtime: omit what the browser needs to run Python.
        without_pdf: omit what Chromium makes.
        key: the stamp of the input, recorded with dist/; None to write nothing.

    Returns:
        A summary of what was built; None if there were problems.
    """
    site = _built(root, without_runtime=without_runtime, without_pdf=without_pdf)
    if site is None:
        return None
    if key is not None:
        write_folder(root / DIST, site.files)
        write_stamp(root, key)
    return f"{site.pages} page{'s' * (site.pages != 1)} with {site.equations} equations"


def list_ids(root: Path) -> int | None:
    """Add the site's new ids to the list of published ids, or print the problems.

    Returns:
        How many were new; None if there were problems.
    """
    site = _built(root, without_runtime=True, without_pdf=True)
    return None if site is None else add_ids(root, site.published)


def rebuild(root: Path, builder: Builder, *, without_runtime: bool, quick: bool) -> bool:
    """Build with a warm builder; write the site, or print the problems.

    Returns:
        Whether the site was written.
    """
    site = _printing(lambda: builder.build(_runtime(without_runtime), quick=quick))
    if site:
        write_folder(root / DIST, site.files)
    return site is not None


def _built(root: Path, *, without_runtime: bool, without_pdf: bool) -> BuiltSite | None:
    """The site; None after printing problems."""
    browser = LEFT_OUT if without_pdf else find_browser(os.environ)
    cache = Cache(root / CACHE)
    return _printing(lambda: build(root, _runtime(without_runtime), cache, browser))


def _printing(build: Callable[[], BuiltSite]) -> BuiltSite | None:
    try:
        return build()
    except RuntimeMissingError as error:
        print(f"{error}; set {WHEEL_FOLDER_VARIABLE} to a folder that has it, or go on with "
              "--without-runtime", file=sys.stderr)  # fmt: skip
    except BuildError as error:
        for problem in error.problems:
            print(problem, file=sys.stderr)
        count = len(error.problems)
        print(f"{count} problem{'s' * (count > 1)}; dist/ is untouched", file=sys.stderr)
    return None


def _runtime(without_runtime: bool) -> Runtime | None:  # noqa: FBT001 - private
    return None if without_runtime else find_runtime(os.environ)
