"""Run a command under limits of time and memory, and tell what it needed.

Memory is counted as what is resident, over all processes of the command's session: a limit of addresses would stop simulators
that reserve much and use little.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
LOOK_S = 0.05


@dataclass(frozen=True)
class Run:
    """What one command did. A failure is a sentence; the figures are None where it was ended."""

    out: str
    failure: str | None = None
    wall_s: float | None = None
    cpu_s: float | None = None
    peak_bytes: int | None = None
    """Of its largest process."""


def members(session: int) -> dict[int, int]:
    """Return the processes of a session, and the resident bytes of each."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            after_name = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(after_name[3]) == session:
                found[int(entry.name)] = int((entry / "statm").read_text().split()[1]) * PAGE_BYTES
        except (OSError, IndexError, ValueError):
            continue  # it ended while we looked
    return found


def end(session: int) -> None:
    """Kill all processes of a session, until none is left."""
    while left := [p for p, size in members(session).items() if size]:
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(LOOK_S)


def watch(session: int, over: threading.Event, limit_s: float, limit_bytes: int, said: list[str]) -> None:
    """End a session that passes a limit, and say so; return when ``over`` is set or it has been ended."""
    deadline_s = time.monotonic() + limit_s
    while not over.wait(LOOK_S):
        if time.monotonic() > deadline_s:
            said.append(f"over {limit_s:g} s")
            end(session)
            return
        if sum(members(session).values()) > limit_bytes:
            said.append(f"over {limit_bytes / 1e9:g} GB")
            end(session)
            return


def complaint(status: int, err: str) -> str:
    """Return a sentence on a command that failed: what it said of an error, else its last line."""
    lines = [line.strip() for line in err.splitlines() if line.strip()] or ["it said nothing"]
    telling = [line for line in lines if "CRITICAL" in line or "rror" in line] or lines[-1:]
    return f"ended with {status}: {telling[0]}"


def run_limited(
    measure: Path, command: Sequence[str], env: Mapping[str, str], cwd: Path, limit_s: float, limit_bytes: int
) -> Run:
    """Run a command by the program ``measure`` (measure.c), in a session of its own, with its output kept in files."""
    with tempfile.TemporaryDirectory() as place, open(f"{place}/out", "w+") as out, open(f"{place}/err", "w+") as err:
        figures = Path(place) / "figures"
        job = subprocess.Popen(
            [str(measure), str(figures), *command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
        )
        over, said = threading.Event(), list[str]()
        guard = threading.Thread(target=watch, args=(job.pid, over, limit_s, limit_bytes, said))
        guard.start()
        try:
            job.wait()
        finally:  # an interrupt too leaves nothing behind
            over.set()
            guard.join()
            end(job.pid)
        out.seek(0)
        err.seek(0)
        if said:
            return Run(out.read(), said[0])
        failure = complaint(job.returncode, err.read()) if job.returncode else None
        return Run(out.read(), failure, **(json.loads(figures.read_text()) if figures.exists() else {}))
