"""Programs that die: the job must fail and say why. Set MPICO_BUILD to a folder with bin/mpicc and bin/mpiexec."""

import os
import re
import subprocess
from pathlib import Path

import pytest

FATAL = Path(__file__).parent / "fatal"

# Name, program, ranks, extra environment, patterns that must all be found on stderr (in any order).
CASES: list[tuple[str, str, int, dict[str, str], list[str]]] = [
    (
        "truncate",
        "truncate",
        2,
        {},
        [r"MPI_Recv: message truncated: rank 1 sent 4096 bytes \(tag 7\), the buffer holds 1024$", r"MPI_ERR_TRUNCATE"],
    ),
    (
        "truncate_of_four",
        "truncate",
        4,
        {},
        [r"MPI_Recv: message truncated: rank 3 sent 4096 bytes \(tag 7\), the buffer holds 1024$", r"rank 0 of 4\b"],
    ),
    ("rank_range", "rank_range", 2, {}, [r"MPI_Send: dest: rank 99 is not in the communicator of 2 ranks$"]),
    ("after_finalize", "after_finalize", 2, {}, [r"MPI_Send was called after MPI_Finalize$"]),
    (
        "deadlock",
        "deadlock",
        2,
        {},
        [
            r"^mpiexec: deadlock: every rank waits for another$",
            r"^rank 0: MPI_Recv from rank 1, tag 7 \(communicator context 0\), 1 bytes$",
            r"^rank 1: MPI_Recv from rank 0, tag 7 \(communicator context 0\), 1 bytes$",
            r"^cycle: 0 -> 1 -> 0$",
        ],
    ),
    (
        "deadlock_of_sends",
        "deadlock_send",
        2,
        {"MPICO_EAGER_BYTES": "0"},
        [
            r"^mpiexec: deadlock: every rank waits for another$",
            r"^rank 0: MPI_Send to rank 1, tag 7 \(communicator context 0\), 100 bytes$",
            r"^rank 1: MPI_Send to rank 0, tag 7 \(communicator context 0\), 100 bytes$",
            r"^cycle: 0 -> 1 -> 0$",
        ],
    ),
    ("near_miss", "near_miss", 2, {}, [r"^near miss: rank 0 holds tag 8 from rank 1, it asks for tag 7$"]),
    (
        "count_mismatch",
        "count_mismatch",
        2,
        {"MPICO_CHECK": "1"},
        [r"MPI_Bcast: length differs: rank 0 says 20 bytes, rank 1 says 10$", r"MPI_ERR_COUNT"],
    ),
    (
        "root_mismatch",
        "root_mismatch",
        2,
        {"MPICO_CHECK": "1"},
        [r"MPI_Bcast: root differs: rank 0 says 0, rank 1 says 1$", r"MPI_ERR_ROOT"],
    ),
    (
        "inter_roots",
        "inter_roots",
        2,
        {"MPICO_CHECK": "1"},
        [r"MPI_Bcast: the roots differ: one rank of one group says MPI_ROOT", r"MPI_ERR_ROOT"],
    ),
    (
        "unknown_algorithm",
        "collective",
        2,
        {"MPICO_COLL": "bcast=nosuch"},
        [r"MPICO_COLL: no bcast 'nosuch' to choose; there are: binomial, scatter, chain, spread$"],
    ),
    (
        "unknown_collective",
        "collective",
        2,
        {"MPICO_COLL": "nosuch=ring"},
        [r"MPICO_COLL: no collective 'nosuch' to choose; there are: barrier, bcast, .*\bexscan$"],
    ),
    ("exit_code", "exit_code", 2, {}, [r"^mpiexec: rank 1 \(pid \d+, .*\) exited with code 3 before MPI_Finalize$"]),
    (
        "self_fatal",
        "self_fatal",
        2,
        {},
        [r"MPI_Type_free: datatype: is predefined", r"rank 0 of 1 in MPI_COMM_SELF, whose error handler ends the job"],
    ),
    (
        "self_default",
        "self_default",
        2,
        {},
        [r"MPI_Send: dest: rank 1 is not in", r"rank 0 of 1 in MPI_COMM_SELF, whose error handler ends the job"],
    ),
    (
        "abort",
        "abort",
        2,
        {},
        [
            r"^mpico: rank 1: MPI_Abort was called with error code 5$",
            r"^mpiexec: rank 1 \(pid \d+, .*\) aborted the job: exit code 5$",
        ],
    ),
]

# What fatal/leaks.c leaves, with the lines that made it; and there is no more.
LEAKS = [
    r"a request of MPI_Irecv was never completed: receive from rank 0, tag 77, 4 bytes; in leave_messages at leaks.c:36",
    r"a request of MPI_Send_init was never freed: send to rank 0, tag 78, 4 bytes; in leave_messages at leaks.c:37",
    r"a matched message of MPI_Mprobe was never received; in leave_messages at leaks.c:40",
    r"a message was never received: from rank 0, tag 4, 4 bytes",
    r"a communicator of MPI_Comm_dup was never freed: \"twin\" of 2 ranks; in leave_objects at leaks.c:54",
    r"a group of MPI_Comm_group was never freed: of 2 ranks; in leave_objects at leaks.c:56",
    r"3 datatypes of MPI_Type_vector were never freed, one of them: of 12 bytes; in leave_objects at leaks.c:58",
    r"a window of MPI_Win_create was never freed: of 2 ranks; in leave_objects at leaks.c:59",
    r"an info object of MPI_Info_create was never freed; in leave_objects at leaks.c:60",
    r"an attribute key of MPI_Comm_create_keyval was never freed; in leave_objects at leaks.c:61",
    r"an error handler of MPI_Comm_create_errhandler was never freed; in leave_objects at leaks.c:62",
    r"a reduction operation of MPI_Op_create was never freed; in leave_objects at leaks.c:63",
]


def tool(name: str) -> str:
    """Path of a program of the build; skips the test where no build is named."""
    build = os.environ.get("MPICO_BUILD")
    if not build:
        pytest.skip("MPICO_BUILD is not set")
    return str(Path(build) / "bin" / name)


def run_program(
    program: str, ranks: int, environment: dict[str, str], place: list[str], folder: Path
) -> subprocess.CompletedProcess[str]:
    """Compile fatal/PROGRAM.c in the folder and run it; skips where this build has no such place."""
    if place and not (Path(tool("mpiexec")).parent.parent / "lib/mpico/fiber/mpico-fiber").exists():
        pytest.skip("this build has no fibers")
    binary = folder / program
    subprocess.run([tool("mpicc"), "-g", str(FATAL / f"{program}.c"), "-o", str(binary)], check=True)
    return subprocess.run(
        [tool("mpiexec"), *place, "-n", str(ranks), str(binary)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | environment,
    )


PLACES = pytest.mark.parametrize(
    "place", [[], ["--fibers"], ["--fibers", "--threads", "2"]], ids=["processes", "fibers", "threads"]
)


@PLACES
@pytest.mark.parametrize(
    ("program", "ranks", "environment", "patterns"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_message(
    program: str, ranks: int, environment: dict[str, str], patterns: list[str], place: list[str], tmp_path: Path
) -> None:
    run = run_program(program, ranks, environment, place, tmp_path)
    assert run.returncode != 0, run.stderr
    for pattern in patterns:
        assert re.search(pattern, run.stderr, re.MULTILINE), f"{pattern!r} not in:\n{run.stderr}"


@PLACES
def test_leaks(place: list[str], tmp_path: Path) -> None:
    run = run_program("leaks", 2, {"MPICO_CHECK": "1"}, place, tmp_path)
    assert run.returncode == 0, run.stderr
    told = re.findall(r"^mpico: rank 1: leak: (.*)$", run.stderr, re.MULTILINE)
    for pattern in LEAKS:
        assert any(re.fullmatch(pattern, line) for line in told), f"{pattern!r} not in:\n{run.stderr}"
    assert len(told) == len(LEAKS), run.stderr


@PLACES
def test_characters(place: list[str], tmp_path: Path) -> None:
    """A sum of characters works everywhere; checking mode says once that the standard does not have it."""
    for checking, notices in (("0", 0), ("1", 1)):
        run = run_program("characters", 2, {"MPICO_CHECK": checking}, place, tmp_path)
        assert run.returncode == 0, run.stderr
        told = re.findall(r"^mpico: rank 1: notice: (.*)$", run.stderr, re.MULTILINE)
        assert len(told) == notices, run.stderr
        for line in told:
            assert line.startswith("MPI_Allreduce: the standard has no MPI_SUM of MPI_CHAR;"), line
