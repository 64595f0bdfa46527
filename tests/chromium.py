"""Find a real Chromium, or install one: `python -m tests.chromium`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from site_builder import chromium
from site_builder.chromium import VARIABLE, arguments

__all__ = ["arguments", "find_chromium"]


def find_chromium() -> Path | None:
    """The browser that a build would use, else Playwright's own."""
    found = chromium.find_chromium(os.environ)
    if found or os.environ.get(VARIABLE):
        return found
    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
    return own if own.exists() else None


def install() -> Path | None:
    """Install Debian's package, else Playwright's browser."""
    if shutil.which("apt-get"):
        as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
        apt = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
        if _run([*apt, "update"]) and _run([*apt, "install", "-y", "chromium"]) and find_chromium():
            return find_chromium()
    _run([sys.executable, "-m", "playwright", "install", "chromium"])
    return find_chromium()


def _run(command: list[str]) -> bool:
    print("$", *command, file=sys.stderr)
    try:
        return subprocess.run(command, stdout=sys.stderr, check=False).returncode == 0
    except OSError as error:
        print(error, file=sys.stderr)
        return False


def main() -> int:
    """Print where Chromium is, after installing it if need be; 1 if that cannot be done."""
    named = os.environ.get(VARIABLE)
    found = find_chromium()
    if named and not found:
        print(f"{VARIABLE} is {named}, which cannot be run", file=sys.stderr)
        return 1
    found = found or install()
    if not found:
        print(
            f"no Chromium was found and none could be installed: install one, or set {VARIABLE}",
            file=sys.stderr,
        )
        return 1
    print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
