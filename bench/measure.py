"""Run a command and measure it."""

import subprocess
import sys
import time
from pathlib import Path

_SAMPLE_EVERY = 0.005


def seconds(command: list[str]) -> float:
    """The time that a command takes. It must succeed."""
    started = time.perf_counter()
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    taken = time.perf_counter() - started
    if run.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{run.stdout}{run.stderr}")
    return taken


def peak_mebibytes(command: list[str]) -> float:
    """The most memory that a command and the processes it starts hold at one moment."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(map(_resident, _tree(process.pid))))
        time.sleep(_SAMPLE_EVERY)
    return peak / 1024


def _tree(pid: int) -> list[int]:
    found = [pid]
    for parent in found:
        try:
            text = Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii")
        except OSError:
            continue
        found.extend(map(int, text.split()))
    return found


def _resident(pid: int) -> int:
    """Resident memory in KiB; pages that processes share count once for each."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0)
