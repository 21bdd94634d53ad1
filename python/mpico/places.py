"""Where mpico's programs and machines are: the build tree and an installation have the same shape below a prefix.

bin/mpiexec  bin/mft  lib/mpico/sim/mpico-sim  lib/mpico/bench/ring_*  share/mpico/machines/*.toml
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path


class PlaceError(Exception):
    """Something of mpico is not where it should be; the text says what and what to do."""


def prefix() -> Path:
    """Folder of the build or installation: MPICO_PREFIX, which bin/mpico sets, else where mpiexec in PATH lies.

    Raises PlaceError when there is neither.
    """
    named = os.environ.get("MPICO_PREFIX")
    if named:
        return Path(named)
    found = shutil.which("mpiexec")
    if found and (Path(found).resolve().parents[1] / "lib" / "mpico").is_dir():
        return Path(found).resolve().parents[1]
    raise PlaceError("mpico's mpiexec is not in PATH; call bin/mpico of the build or installation, or set MPICO_PREFIX")


def program(path: str, hint: str) -> Path:
    """The program at `path` below the prefix. Raises PlaceError, ending in `hint`, when it is not there."""
    found = prefix() / path
    if not os.access(found, os.X_OK):
        raise PlaceError(f"there is no {found}; {hint}")
    return found


def simulator() -> Path:
    """The program that reads machine files and runs ranks on them."""
    return program("lib/mpico/sim/mpico-sim", "this build has no simulator")


def machine_files() -> list[Path]:
    """Files of the machines that mpiexec --machine knows by name, sorted. Raises PlaceError when there are none."""
    folder = prefix() / "share" / "mpico" / "machines"
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise PlaceError(f"there are no machine files in {folder}")
    return files


def machine_file(name: str) -> Path:
    """The file of machine `name`, which may be a path itself, as for mpiexec --machine. Raises PlaceError."""
    if "/" in name or name.endswith(".toml"):
        return Path(name)
    files = {file.stem: file for file in machine_files()}
    if name not in files:
        raise PlaceError(
            f"there is no machine '{name}'; there are: {', '.join(files)} (or give a file, as in ./{name}.toml)"
        )
    return files[name]
