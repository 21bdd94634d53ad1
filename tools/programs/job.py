"""What the programs have in common: where they are built, how a command of theirs is run, what a run must answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LIMIT_S = 900.0
# Each rank is one thread, however many a BLAS would start.
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class Failed(Exception):
    """A program did not build, did not end well, or says that its results are wrong."""


@dataclass(frozen=True)
class Place:
    """Where a program lies and with what it is built and run."""

    source: Path
    logs: Path
    mpicc: Path
    mpiexec: Path
    jobs: int

    def launch(self, ranks: int, *command: str) -> list[str]:
        """The command line of a job."""
        return [str(self.mpiexec), "-n", str(ranks), *command]


@dataclass(frozen=True)
class Run:
    """One job or one script of jobs. `ranks` as the table shows it."""

    what: str
    ranks: str
    work: Callable[[Place], int]
    """Runs it; returns how many of the program's own checks passed, or raises Failed."""


@dataclass(frozen=True)
class Program:
    """A source package of Debian and what is done with it."""

    name: str
    about: str
    version: str
    archive: str
    sha256: str
    folder: str
    """The folder that the archive makes."""
    build: Callable[[Place], None]
    runs: Sequence[Run]
    needs: Sequence[str] = field(default_factory=tuple)
    """Commands that must be there."""


def say(text: str) -> None:
    """A line of progress."""
    print(text, file=sys.stderr, flush=True)


def call(
    command: Sequence[str],
    folder: Path,
    log: Path,
    env: Mapping[str, str] | None = None,
    limit_s: float = LIMIT_S,
) -> str:
    """Run it in the folder; all that it prints goes to the log and is returned. Failed when it does not end with 0."""
    log.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    try:
        with log.open("wb") as out:
            process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, **ONE_THREAD, **(env or {})},
                start_new_session=True,
            )
    except OSError as error:
        raise Failed(f"{command[0]}: {error.strerror}") from None
    try:
        status = process.wait(limit_s)
    except subprocess.TimeoutExpired:
        raise Failed(f"{command[0]} had not ended after {limit_s:.0f} s; see {log}") from None
    finally:
        if process.poll() is None:  # late, or we are interrupted: with all that it has started
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if status:
        raise Failed(f"{command[0]} ended with status {status} after {time.monotonic() - started:.0f} s; see {log}")
    return log.read_text(errors="replace")


def require(true: bool, why: str) -> None:
    """Failed unless it is true."""
    if not true:
        raise Failed(why)
