"""An emulated chip whose harts are the ranks: faults, ends, private memory, consoles, memory sizes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import boards

pytestmark = pytest.mark.slow  # emulated nodes

BOARD = "virt-riscv64"
HERE = Path(__file__).parent / "chip"


def program(name: str, *options: str) -> str:
    """The path of chip/<name>.c, built with these options."""
    return boards.program(name, "-Wno-infinite-recursion", *options, board=BOARD, sources=HERE)


def mpiexec(ranks: int, *words: str, board: str = BOARD) -> subprocess.CompletedProcess[str]:
    """A job on the chip."""
    return boards.mpiexec("-n", str(ranks), *words, board=board, timeout=100)


def with_memory(size: str) -> str:
    """The folder of a chip with so much memory."""
    made = boards.folder() / f"memory-{size}"
    if not made.exists():
        shutil.copytree(boards.build(BOARD) / "lib/mpico/board" / BOARD, made)
        conf = (made / "board.conf").read_text(encoding="utf-8")
        assert conf.count(" -m 1G ") == 1
        (made / "board.conf").write_text(conf.replace(" -m 1G ", f" -m {size} "), encoding="utf-8")
    return str(made)


@pytest.mark.parametrize(
    ("way", "code", "line"),
    [
        ("null", 139, r"mpico: rank 1: hart 1: store page fault at pc 0x8[0-9a-f]{7}, address 0x0 \(a null pointer\)"),
        (
            "stack",
            139,
            r"mpico: rank 1: hart 1: store page fault at pc 0x8[0-9a-f]{7}, address 0x3f[0-9a-f]{6} \(the stack has overflowed\)",
        ),
        ("constant", 139, r"mpico: rank 1: hart 1: store page fault .*\(code, constants or another hart's memory\)"),
        ("instruction", 139, r"mpico: rank 1: hart 1: illegal instruction at pc 0x8[0-9a-f]{7}"),
        ("abort", 134, r"mpico: rank 1: the program has called abort\(\)"),
        ("mpi_abort", 9, r"mpico: rank 1: MPI_Abort was called with error code 9"),
        ("leave", 3, r"no newlinempico: rank 1: the program left without MPI_Finalize"),
    ],
)
@pytest.mark.parametrize("ranks", [2, 5])
def test_faults(way: str, code: int, line: str, ranks: int) -> None:
    done = mpiexec(ranks, program("ends"), way)
    assert done.returncode == code, done.stdout + done.stderr
    assert re.fullmatch(line, done.stdout.strip()), done.stdout


def test_the_first_code_counts() -> None:
    done = mpiexec(3, program("ends"), "codes")
    assert done.returncode in (11, 12), done.stdout + done.stderr
    assert mpiexec(3, program("ends"), "well").returncode == 0


@pytest.mark.parametrize("ranks", [1, 3, 64])
def test_deadlock(ranks: int) -> None:
    done = mpiexec(ranks, program("ends"), "deadlock")
    assert done.returncode == 124, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "mpico: deadlock: every rank waits for another"
    for rank in range(ranks):
        source = (rank + 1) % ranks
        assert (
            lines[1 + rank] == f"rank {rank}: MPI_Recv: a receive from rank {source}, tag 7, waits; 0 messages are kept"
        )


def test_who_waits_for_one_that_has_ended() -> None:
    done = mpiexec(3, program("ends"), "never")
    assert done.returncode == 124, done.stdout + done.stderr
    assert done.stdout.splitlines() == [
        "mpico: deadlock: every rank waits for another",
        "rank 0: MPI_Recv: a receive from rank 1, tag 7, waits; 0 messages are kept",
        "rank 1 has ended",
        "rank 2: MPI_Recv: a receive from rank 1, tag 7, waits; 0 messages are kept",
    ]


@pytest.mark.parametrize("ranks", [1, 2, 7, 64])
def test_own_and_shared(ranks: int) -> None:
    done = mpiexec(ranks, program("own"))
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines.count("well") == 1
    whole = [f"line {i} of rank {r} abcdefghijklmnopqrstuvwxyz" for r in range(ranks) for i in range(40)]
    assert sorted(line for line in lines if line != "well") == sorted(whole)


def test_a_rank_that_asks_lets_others_run() -> None:
    done = mpiexec(2, program("polls"))
    assert (done.returncode, done.stdout) == (0, "asked more than once\n"), done.stderr


def test_memory_functions() -> None:
    done = mpiexec(1, program("memory"))
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_little_memory() -> None:
    done = mpiexec(4, program("own"), board=with_memory("64M"))
    assert done.returncode == 0, done.stdout + done.stderr
    done = mpiexec(8, program("own"), board=with_memory("16M"))
    assert done.returncode == 1
    assert re.search(r"mpico: a hart has \d+ bytes of memory and the program needs \d+", done.stdout), done.stdout


def test_small_arena() -> None:
    done = mpiexec(2, program("own", "-Wl,--defsym=mpico_arena_bytes=64"))
    assert done.returncode != 0
    assert "MPI_Init: an arena of 64 bytes is too small for 2 ranks" in done.stdout


def test_two_runs_are_the_same() -> None:
    first, second = (mpiexec(16, program("own")) for _ in range(2))
    assert first.stdout == second.stdout
