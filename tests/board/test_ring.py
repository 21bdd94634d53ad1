"""A ring of emulated Cortex-M boards: programs, consoles, ends and their exit codes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from boards import BOARD, build, mpiexec, program, said, variant

pytestmark = pytest.mark.slow  # emulated nodes


@pytest.mark.parametrize("ranks", [1, 2, 3, 5, 8, 16])
def test_hello(ranks: int) -> None:
    done = mpiexec("-n", str(ranks), program("hello"))
    total = ranks * (ranks - 1) // 2
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(done.stdout.splitlines()) == sorted(f"rank {r} of {ranks}, sum {total}" for r in range(ranks))
    assert done.stderr == ""


def test_hello_on_the_larger_core() -> None:
    if not (build() / "lib/mpico/board/mps2-an500/libmpi_abi.a").exists():
        pytest.skip("the build has no library for mps2-an500")
    done = mpiexec("-n", "3", program("hello", board="mps2-an500"), board="mps2-an500")
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(done.stdout.splitlines()) == [f"rank {r} of 3, sum 3" for r in range(3)]


def test_prefix_and_arguments() -> None:
    done = mpiexec("-l", "-n", "2", program("hello"), "one", "a,b", "three")
    assert sorted(done.stdout.splitlines()) == [f"[{r}] rank {r} of 2, sum 1 one a,b three" for r in range(2)]


def test_no_two_starts_have_one_nonce(tmp_path: Path) -> None:
    """Emulated clocks begin at 0: the launcher gives each node a number that its neighbours can tell its starts apart by."""
    words = tmp_path / "words"
    board = variant(f'shift 3; echo "$@" >> {words}; exec "$@"')
    for _ in range(2):
        assert mpiexec("-n", "2", program("hello"), board=board).returncode == 0
    nonces = re.findall(r"addr=0x2003ffc8,data=(\d+)", words.read_text())
    assert len(set(nonces)) == 4
    assert "0" not in nonces


def test_different_programs() -> None:
    done = mpiexec("-n", "1", program("hello"), "first", ":", "-n", "2", program("hello"), "second")
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(line.split()[-1] for line in done.stdout.splitlines()) == ["first", "second", "second"]


@pytest.mark.parametrize("ranks", [2, 7, 16])
def test_tokens(ranks: int) -> None:
    done = mpiexec("-n", str(ranks), program("token"), "10")
    total = 10 * ranks * (ranks - 1) // 2
    assert (done.returncode, done.stdout) == (0, f"token {total} {total + 10 * ranks * 15}\n"), done.stderr


def test_a_node_that_computes_forwards() -> None:
    done = mpiexec("-n", "3", program("busy"))
    assert (done.returncode, done.stdout) == (0, "forwarded while computing\n"), done.stderr


def test_everybody_with_everybody() -> None:
    done = mpiexec("-n", "5", program("exchange"), "4")
    assert (done.returncode, done.stdout) == (0, "it begins\n4 rounds are right\n"), done.stderr


@pytest.mark.parametrize(
    ("how", "code", "sentence"),
    [
        ("abort", 134, "the program has called abort()"),
        ("mpi_abort", 9, "MPI_Abort was called with error code 9"),
        ("leave", 1, "the program left without MPI_Finalize"),
        ("stack", 139, "the program's stack of 16384 bytes has overflowed"),
        ("address", 139, "access to an address without memory (address 0x90000000), pc 0x"),
        ("division", 139, "division by zero, pc 0x"),
    ],
)
def test_ends(how: str, code: int, sentence: str) -> None:
    """A node that ends badly ends the job: it says why, mpiexec says who, and its code is the job's."""
    done = mpiexec("-n", "3", program("ends"), how)
    assert done.returncode == code, done.stdout + done.stderr
    assert sentence in said(done, 2)
    assert "mpiexec: rank 2 (pid " in done.stderr
    assert f"exited with code {code}" in done.stderr


def test_code_after_finalize() -> None:
    done = mpiexec("-n", "2", program("ends"), "heap")
    assert done.returncode == 77, done.stdout + done.stderr


def test_timeout_says_who_waits_for_whom() -> None:
    done = mpiexec("-n", "3", program("ends"), "hang", timeout=4)
    assert done.returncode == 124
    assert "longer than --timeout allows" in done.stderr
    for rank in range(3):
        assert said(done, rank) == f"MPI_Recv waits for a message from rank {(rank + 1) % 3}, tag 5"


def emulators() -> list[int]:
    """Processes that emulate a board for a program of ours."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if b"qemu-system-arm" in words and program("ends").encode() in words:
                found.append(int(entry.name))
    return found


@pytest.mark.parametrize("sig", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left(sig: signal.Signals) -> None:
    command = [str(build() / "bin/mpiexec"), "--board", BOARD, "-n", "3", program("ends"), "hang"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as job:
        for _ in range(100):
            if len(emulators()) == 3:
                break
            time.sleep(0.1)
        assert len(emulators()) == 3
        os.kill(job.pid, sig)
        job.communicate(timeout=20)
    for _ in range(100):
        if not emulators():
            break
        time.sleep(0.1)
    assert emulators() == []
    assert job.returncode == (-sig if sig == signal.SIGKILL else 128 + sig)


def refused(*words: str, **environment: str) -> str:
    """What mpiexec says to words that it does not run."""
    command = [str(build() / "bin/mpiexec"), *words]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=20, check=False, env={**os.environ, **environment}
    )
    assert done.returncode in (2, 127)
    assert done.stdout == ""
    return done.stderr


def test_refusals() -> None:
    elf = program("hello")
    assert re.search(rf"there is no board 'mps3'; there are: .*\b{BOARD}\b", refused("--board", "mps3", "-n", "2", elf))
    assert "at most 64 ranks" in refused("--board", BOARD, "-n", "65", elf)
    assert "cannot read 'nothing.elf'" in refused("--board", BOARD, "-n", "2", "nothing.elf")
    assert "are no neighbours" in refused("--board", BOARD, "--cut", "0-2", "-n", "4", elf)
    assert "there are ranks 0 to 3" in refused("--board", BOARD, "--kill", "4", "-n", "4", elf)
    assert "needs RANK-RANK" in refused("--board", BOARD, "--cut", "1", "-n", "4", elf)
    assert "for --board" in refused("--kill", "1", "-n", "4", "true")
    assert "excludes" in refused("--board", BOARD, "--fibers", "-n", "4", elf)
    missing = refused("--board", BOARD, "-n", "2", elf, PATH="/nonexistent")
    assert "cannot execute 'qemu-system-arm'" in missing
    assert "package qemu-system-arm" in missing


def test_mpicc() -> None:
    def mpicc(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(build() / "bin/mpicc"), *words], capture_output=True, text=True, check=False)

    shown = mpicc("--board", BOARD, "-show", "a b.c", "-o", "a.elf").stdout
    assert shown.startswith("arm-none-eabi-gcc -mcpu=cortex-m3 ")
    assert f"lib/mpico/board/{BOARD}/libmpi_abi.a" in shown
    assert "-lmpi_abi" not in shown
    assert mpicc(f"--board={BOARD}", "-show", "-c", "a.c").stdout.find("libmpi_abi.a") < 0
    unknown = mpicc("--board", "mps3", "a.c")
    assert unknown.returncode == 2
    assert re.search(rf"there is no board 'mps3'; there are: .*\b{BOARD}\b", unknown.stderr)
    assert mpicc("a.c", "--board").returncode == 2
    assert "-lmpi_abi" in mpicc("-show", "a.c").stdout
