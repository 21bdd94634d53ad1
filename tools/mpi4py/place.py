"""Where the judge keeps things, and how it runs commands."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = "4.1.2"
GRACE_S = 5.0
PACKAGE = f"mpi4py-{VERSION}"


class Unavailable(Exception):
    """What is needed cannot be had from PyPI."""


class Failed(Exception):
    """What must work does not."""


@dataclass(frozen=True)
class Place:
    """Where things are."""

    build: Path
    work: Path

    def python(self) -> Path:
        """Return the interpreter of the environment."""
        return self.work / "venv" / "bin" / "python3"

    def package(self) -> Path:
        """Return the unpacked source package."""
        return self.work / PACKAGE

    def library(self) -> Path:
        """Return the folder of our library."""
        return next(
            d for d in (self.build / "lib", self.build / "lib64", self.build) if (d / "libmpi_abi.so.1").exists()
        )

    def launch(self, ranks: int) -> list[str]:
        """Return what starts a job of so many ranks; nothing for 0, a program without a launcher."""
        return [str(self.build / "bin" / "mpiexec"), "-n", str(ranks)] if ranks else []

    def env(self) -> dict[str, str]:
        """Return the environment of a run: no settings of ours or of mpi4py but the library's place."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("MPICO_", "MPI4PY_", "PYTHON", "LD_"))}
        return {**kept, "LD_LIBRARY_PATH": str(self.library()), "PYTHONDONTWRITEBYTECODE": "1"}


def call(command: Sequence[str], limit_s: float, cwd: Path, env: Mapping[str, str]) -> tuple[int | None, str, float]:
    """Run to the end or the limit, then with all it started; return exit code (None: the limit), output, seconds."""
    start = time.monotonic()
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd=cwd,
        env=dict(env),
        start_new_session=True,
    ) as job:
        try:
            said, _ = job.communicate(timeout=limit_s)
            code: int | None = job.returncode
        except subprocess.TimeoutExpired:
            # mpiexec is given time to end its ranks, which are not all in this group.
            os.killpg(job.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                job.wait(GRACE_S)
            with suppress(ProcessLookupError):
                os.killpg(job.pid, signal.SIGKILL)
            said, _ = job.communicate()
            code = None
    return code, said, time.monotonic() - start


def ended(code: int | None, limit_s: float) -> str:
    """Say how a command ended."""
    return f"still running after {limit_s:.0f} s" if code is None else f"ended with {code}"


def keep_log(place: Place, name: str, said: str) -> Path:
    """Write the output of a run; return where."""
    log = place.work / "logs" / f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', name)}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text(said)
    return log
