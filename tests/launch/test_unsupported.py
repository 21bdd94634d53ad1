"""What the library cannot do at all is told to the user, also where the program's error handler keeps errors to itself.

Set MPICO_BUILD as for test_fibers.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from test_fibers import build, compiled, main

PLACES = [(), ("--fibers",), ("--machine", "cluster")]
SENTENCES = {
    "file": "MPI_File_open: this library has no files",
    "spawn": "MPI_Comm_spawn: this library neither starts processes nor meets other jobs: start all ranks with mpiexec",
    "port": "MPI_Open_port: this library neither starts processes nor meets other jobs: start all ranks with mpiexec",
}
CALLS = {
    "file": 'MPI_File f; MPI_File_open(MPI_COMM_WORLD, "x", MPI_MODE_RDONLY, MPI_INFO_NULL, &f); MPI_File_close(&f)',
    "spawn": 'MPI_Comm c; MPI_Comm_spawn("x", NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &c, NULL)',
    "port": "char name[MPI_MAX_PORT_NAME]; if (rank == 1) MPI_Open_port(MPI_INFO_NULL, name)",
}
HANDLERS = {
    "return": "MPI_Errhandler h = MPI_ERRORS_RETURN",
    "own": "MPI_Errhandler h; MPI_Comm_create_errhandler(swallow, &h)",
}
SWALLOW = "static void swallow(MPI_Comm *comm, int *code, ...) { MPI_Comm_size(*comm, code); }"


def job(place: tuple[str, ...], program: str) -> subprocess.CompletedProcess[str]:
    """Three ranks."""
    command = [str(build() / "bin" / "mpiexec"), *place, "-n", "3", program]
    return subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place[0] if place else "processes")
@pytest.mark.parametrize("handler", HANDLERS)
@pytest.mark.parametrize("call", CALLS)
def test_once_whatever_the_handler_does(call: str, handler: str, place: tuple[str, ...], tmp_path: Path) -> None:
    set_handler = "MPI_Comm_set_errhandler(MPI_COMM_WORLD, h); MPI_Comm_set_errhandler(MPI_COMM_SELF, h)"
    again = "for (int k = 0; k < 3; k++) {" + CALLS[call] + "; }"
    program = compiled(tmp_path, SWALLOW + main(f"{HANDLERS[handler]}; {set_handler}; all(); {again} all()"))
    ended = job(place, program)
    who = 1 if call == "port" else 0
    assert ended.returncode == 0, ended.stderr
    assert [line for line in ended.stderr.splitlines() if "leak" not in line] == [
        f"mpico: rank {who}: {SENTENCES[call]}"
    ]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place[0] if place else "processes")
def test_a_handler_that_ends_the_job_says_it_alone(place: tuple[str, ...], tmp_path: Path) -> None:
    ended = job(place, compiled(tmp_path, main(f"if (rank == 2) {{ {CALLS['spawn']}; }} all()")))
    assert ended.returncode != 0
    assert ended.stderr.count(SENTENCES["spawn"]) == 1
