"""A program compiled for one library of the standard ABI runs unchanged on another: MPICH's on mpico and back.

Environment: MPICO_BUILD names the build directory (``build`` unless told), MPICO_MPICH_VENV a virtual environment that
holds MPICH; without it one is made below the build directory.
"""

from __future__ import annotations

import os
import subprocess
import venv
from collections.abc import Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SECONDS = 60.0
INSTALL_SECONDS = 300.0
RANKS = 3


def requirement() -> str:
    """Return the version of MPICH that the benchmarks are compared with: one pin for both."""
    lines = (ROOT / "bench" / "requirements.txt").read_text().splitlines()
    return next(line.strip() for line in lines if line.startswith("mpich=="))


def call(
    *command: str | Path, env: Mapping[str, str] | None = None, seconds: float = SECONDS
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, with additions to the environment."""
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
        env={**os.environ, **(env or {})},
    )


def runs_on(library: str, launcher: Path, libraries: Path, program: Path) -> None:
    """Assert that a program passes its own checks, on the library that is meant."""
    done = call(launcher, "-n", str(RANKS), program, env={"LD_LIBRARY_PATH": str(libraries)})
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout
    assert "interop ok on" in said, said
    assert library.lower() in said.split("interop ok on", 1)[1].lower(), said


@pytest.fixture(scope="session")
def build() -> Path:
    """Return the build directory of mpico."""
    place = Path(os.environ.get("MPICO_BUILD", ROOT / "build")).resolve()
    if not (place / "bin" / "mpicc").exists():
        pytest.skip(f"mpico is not built in {place}")
    return place


@pytest.fixture(scope="session")
def our_libraries(build: Path) -> Path:
    """Return the folder of our shared library."""
    return next(d for d in (build / "lib", build, build / "lib64") if (d / "libmpi_abi.so.1").exists())


@pytest.fixture(scope="session")
def mpich(build: Path) -> Path:
    """Return an environment that holds MPICH, made if need be; skip where the package cannot be installed."""
    if "MPICO_MPICH_VENV" in os.environ:
        return Path(os.environ["MPICO_MPICH_VENV"])
    for place in (build / "bench" / "venv-mpich", build / "venv-mpich"):
        if (place / "bin" / "mpicc_abi").exists():
            return place
    place = build / "venv-mpich"
    venv.create(place, with_pip=True, clear=True)
    command = (place / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", requirement())
    try:
        done = call(*command, seconds=INSTALL_SECONDS)
    except subprocess.TimeoutExpired:
        pytest.skip(f"{requirement()} cannot be installed from PyPI: no answer in {INSTALL_SECONDS:.0f} s")
    if done.returncode:
        pytest.skip(f"{requirement()} cannot be installed from PyPI: {done.stderr.strip()[-300:]}")
    return place


def test_program_of_mpich_runs_on_mpico(build: Path, our_libraries: Path, mpich: Path, tmp_path: Path) -> None:
    """Compile by MPICH's wrapper; run by our launcher on our library."""
    program = tmp_path / "interop"
    done = call(mpich / "bin" / "mpicc_abi", HERE / "interop.c", "-o", program)
    assert done.returncode == 0, done.stderr
    runs_on("mpico", build / "bin" / "mpiexec", our_libraries, program)


def test_program_of_mpico_runs_on_mpich(build: Path, mpich: Path, tmp_path: Path) -> None:
    """Compile by our wrapper; run by MPICH's launcher on MPICH's library."""
    program = tmp_path / "interop"
    done = call(build / "bin" / "mpicc", HERE / "interop.c", "-o", program)
    assert done.returncode == 0, done.stderr
    runs_on("mpich", mpich / "bin" / "mpiexec", mpich / "lib", program)
