"""mpi4py's source package, and the modules of the standard ABI that are built from it."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

from place import PACKAGE, ROOT, VERSION, Failed, Place, Unavailable, call, ended

SHA256 = "56860286dc45f20e8821e93cb06669e30462348bf866f685553fa4b712d58d02"
BUILD_REQUIREMENTS = ("setuptools==80.9.0", "wheel==0.45.1", "Cython==3.3.1")
PYPI_LIMIT_S = 300.0
BUILD_LIMIT_S = 1800.0

EDITS: Mapping[str, tuple[str, str]] = {
    "test/test_subclass.py": (
        "BaseTestMyFile().openfile().Close()\nexcept NotImplementedError:",
        "BaseTestMyFile().openfile().Close()\nexcept (NotImplementedError, MPI.Exception):",
    ),
}
"""What is changed in the package: this module opens a file when it is loaded, and would take all its other tests along."""


def pip(place: Place, *words: str) -> None:
    """Have pip fetch something; raise Unavailable with its last words."""
    command = [str(place.python()), "-m", "pip", "--disable-pip-version-check", *words]
    code, said, _ = call(command, PYPI_LIMIT_S, place.work, os.environ)
    if code != 0:
        raise Unavailable(f"pip {' '.join(words)}: {ended(code, PYPI_LIMIT_S)}\n{said[-800:]}")


def pip_here(place: Place, env: Mapping[str, str], *words: str) -> None:
    """Have pip do what needs no network: raise Failed with its last words."""
    command = [str(place.python()), "-m", "pip", words[0], "--quiet", "--no-deps", "--no-index", *words[1:]]
    code, said, _ = call(command, BUILD_LIMIT_S, place.work, env)
    if code != 0:
        raise Failed(f"pip {' '.join(words)}: {ended(code, BUILD_LIMIT_S)}\n{said[-4000:]}")


def requirement(name: str) -> str:
    """Return the line of python/requirements.txt for a package."""
    lines = (ROOT / "python" / "requirements.txt").read_text().splitlines()
    return next(line for line in lines if line.startswith(f"{name}=="))


def prepare_environment(place: Place) -> None:
    """Make the virtual environment with NumPy and what builds the module, unless it is there."""
    wanted = [requirement("numpy"), *BUILD_REQUIREMENTS]
    stamp = place.work / "venv" / "installed"
    if stamp.exists() and stamp.read_text() == repr(wanted):
        return
    venv.create(place.work / "venv", with_pip=True, clear=True)
    pip(place, "install", "--quiet", *wanted)
    stamp.write_text(repr(wanted))


def fetch(place: Place) -> Path:
    """Return the source package as downloaded, its checksum verified, and unpack it."""
    archive = place.work / f"{PACKAGE}.tar.gz"
    if not archive.exists():
        words = ("--quiet", "--no-binary", "mpi4py", "--no-deps", "--no-build-isolation", "-d", str(place.work))
        pip(place, "download", *words, f"mpi4py=={VERSION}")
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != SHA256:
        archive.unlink()
        raise Failed(f"{archive.name} has checksum {found}, wanted {SHA256}: not used")
    if not place.package().exists():
        shutil.unpack_archive(archive, place.work)
    for name, (old, new) in EDITS.items():
        text = (place.package() / name).read_text()
        if new not in text and text.count(old) != 1:
            raise Failed(f"{name} of {PACKAGE} is not what it was: its edit does not fit")
        (place.package() / name).write_text(text.replace(old, new))
    return archive


def mpich(place: Place) -> Path:
    """Return an environment that holds MPICH, made unless another part of the project has made one."""
    made = place.work / "venv-mpich"
    for found in (place.build / "bench" / "venv-mpich", place.build / "venv-mpich", made):
        if (found / "bin" / "mpicc_abi").exists():
            return found
    lines = (ROOT / "bench" / "requirements.txt").read_text().splitlines()
    pip(place, "install", "--quiet", "--prefix", str(made), next(line for line in lines if line.startswith("mpich==")))
    return made


def key_of(wrapper: Path, cflags: str) -> str:
    """Return a name for what a build follows from."""
    header = (wrapper.parents[1] / "include" / "mpi.h").read_bytes()
    return hashlib.sha256(header + f"{VERSION} {sys.version} {wrapper} {cflags}".encode()).hexdigest()[:16]


def build_module(place: Place, archive: Path, wrapper: Path, cflags: str) -> Path:
    """Return the wheel of the ABI module, built with a wrapper unless it has been."""
    kept = place.work / "wheels" / key_of(wrapper, cflags)
    if not (found := list(kept.glob("*.whl"))):
        print(f"building {PACKAGE} with {wrapper} {cflags}".rstrip(), flush=True)
        # Neither variable may bring in another library's mpi.h.
        env = {k: v for k, v in os.environ.items() if k not in ("CPATH", "C_INCLUDE_PATH", "CFLAGS")}
        env |= {"MPI4PY_BUILD_MPIABI": "1", "MPICC": str(wrapper), **({"CFLAGS": cflags} if cflags else {})}
        pip_here(place, env, "wheel", "--no-build-isolation", "-w", str(kept), str(archive))
        found = list(kept.glob("*.whl"))
    return found[0]


def install(place: Place, wheel: Path) -> None:
    """Install one module in place of whichever is there."""
    pip_here(place, os.environ, "install", "--force-reinstall", str(wheel))


def library_in_use(place: Place) -> str:
    """Return what the library says that the module has loaded."""
    command = [str(place.python()), "-c", "from mpi4py import MPI; print(MPI.Get_library_version())"]
    code, said, _ = call(command, 60, place.work, place.env())
    if code != 0:
        raise Failed(f"the module cannot be imported: {ended(code, 60)}\n{said}")
    return said.strip()
