"""Bare rings (src/bare): what goes wrong is named and ends the job, on emulated boards and, with sanitizers, on the host."""

from __future__ import annotations

import pipes
import random
import re
import subprocess

import pytest
import test_pipe
from newer import hello

from boards import HERE, mpiexec, program, said, variant

pytestmark = pytest.mark.slow  # emulated nodes

SIZE = 4


def bare(name: str, *options: str) -> str:
    """A program of the board, linked bare."""
    return program(name, "--bare", *options)


# ---- Wrong calls ----


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("truncate", r"MPI_Recv: message truncated: rank 0 sent 400 bytes \(tag 7\), the buffer holds 100"),
        ("self", r"MPI_Send: dest: \d is this rank, which cannot receive while it sends"),
        ("dest", r"MPI_Send: dest: 9 is no rank, there are 2"),
        ("tag", r"MPI_Send: tag: -7 is negative"),
        ("count", r"MPI_Bcast: count: -1 is negative or too large"),
        ("overflow", r"MPI_Bcast: count: 1073741824 is negative or too large"),
        ("type", r"MPI_Bcast: datatype: not a predefined one without gaps"),
        ("null", r"MPI_Bcast: the buffer is a null pointer"),
        ("lengths", r"MPI_Bcast: rank 0 gives 4 bytes, this one expects 8"),
        ("abort", r"MPI_Abort: the program ends the job with code 3"),
        ("twice", r"MPI_Init: called twice"),
        ("late", r"MPI_Barrier: before MPI_Init or after MPI_Finalize"),
    ],
)
def test_wrong_call(what: str, sentence: str) -> None:
    done = mpiexec("-n", "2", bare("bare_wrong"), what)
    assert done.returncode not in (0, 124), done.stderr
    assert re.search(sentence, done.stdout), done.stdout


def test_other_functions_do_not_link() -> None:
    """Better than a program that is larger than its maker believes."""
    with pytest.raises(subprocess.CalledProcessError) as wrong:
        bare("exchange")
    assert "undefined reference to `MPI_" in wrong.value.stderr


# ---- Rings that do not come up ----


def test_arena_too_small() -> None:
    done = mpiexec("-n", "4", bare("bare_wrong", "-Wl,--defsym=mpico_arena_bytes=1024"))
    assert done.returncode not in (0, 124), done.stderr
    found = re.search(r"the arena of 1024 bytes is too small for 4 ranks: links and tables need (\d+)", done.stdout)
    assert found, done.stdout
    assert mpiexec("-n", "4", bare("bare_wrong", f"-Wl,--defsym=mpico_arena_bytes={found[1]}")).returncode == 0


def test_two_nodes_claim_one_rank() -> None:
    """Rank 2 has been told that it is rank 1."""
    board = variant(
        "rank=$1; shift 3; n=$#; while [ $n -gt 0 ]; do word=$1; shift; n=$((n - 1)); "
        '[ "$rank" = 2 ] && word=$(echo "$word" | sed "s/data=2,/data=1,/"); set -- "$@" "$word"; done; exec "$@"'
    )
    done = mpiexec("-n", "4", bare("bare_wrong"), board=board)
    assert done.returncode not in (0, 124), done.stderr
    assert "the left neighbour is rank 1 of 4, not 0 of 4" in done.stdout or "is rank 1 of 4, not 2 of 4" in done.stdout


def test_cut_from_the_start() -> None:
    done = mpiexec("--cut", "1-2", "-n", "4", bare("bare_wrong"))
    assert done.returncode not in (0, 124), done.stderr
    assert re.search(r"the link to rank 2 is cut", said(done, 1)) or "the link to rank 1 is cut" in said(done, 2)


def test_newer_wire() -> None:
    """Rank 1 is a neighbour from the future."""
    board = variant(f'[ "$1" = 1 ] && exec python3 {HERE}/newer.py "$2" "$3"; shift 3; exec "$@"')
    done = mpiexec("-n", "3", bare("bare_wrong"), board=board)
    assert done.returncode not in (0, 124), done.stderr
    assert "the link to rank 1 is cut: another version of the wire" in done.stdout, done.stdout


# ---- While it runs ----


def test_a_node_is_killed() -> None:
    done = mpiexec("--kill", "2@+0.5", "-n", "4", program("../bare_traffic", "--bare"), "100000")
    assert done.returncode not in (0, 124), done.stdout + done.stderr
    assert "the link to rank 2 is cut: silent" in done.stdout


def test_noise_is_mended() -> None:
    done = mpiexec("--noise", "0.0003", "-n", "3", program("../bare_traffic", "--bare"), "6")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 rounds are right" in done.stdout


# ---- The same code with sanitizers ----


def together(results: list[pipes.Result]) -> str:
    """What all have said."""
    return "\n".join(result.text for result in results)


def test_arena_too_small_on_the_host() -> None:
    results = pipes.ring([pipes.program("bare_small"), "1"], list(range(2)), 2).finish()
    assert all(result.code > 0 for result in results)
    assert "the arena of 20000 bytes is too small for 2 ranks" in together(results)


def test_two_ranks_the_same_on_the_host() -> None:
    results = pipes.ring([pipes.program("bare_traffic"), "1"], [0, 1, 1, 3], SIZE).finish()
    assert all(result.code > 0 for result in results)
    assert "the left neighbour is rank 1 of 4, not 0 of 4" in together(results)


def test_more_ranks_than_the_ring_has() -> None:
    results = pipes.ring([pipes.program("bare_traffic"), "1"], [0, 1, 2], SIZE).finish()
    assert all(result.code > 0 for result in results), results


@pytest.fixture(scope="module")
def heard() -> dict[str, str]:
    """What a rank says of neighbours that are none."""
    sends = {"silence": b"", "noise": random.Random(1).randbytes(2000), "newer": hello()}
    return pipes.besieged([pipes.program("bare_traffic"), "1"], SIZE, sends)


@pytest.mark.parametrize(
    ("neighbours", "why"), [("silence", "nothing comes|silent"), ("noise", "babbles"), ("newer", "version")]
)
def test_neighbours_that_are_none(heard: dict[str, str], neighbours: str, why: str) -> None:
    assert re.search(rf"the link to rank [02] is cut: ({why}|.*{why})", heard[neighbours]), heard


def test_damaged_bytes_are_mended() -> None:
    """Every link damages, in both directions: everything arrives once, in order, undamaged."""
    spoils = {i: (test_pipe.damaging(2 * i, 0.02), test_pipe.damaging(2 * i + 1, 0.02)) for i in range(SIZE)}
    results = pipes.ring([pipes.program("bare_traffic"), "20"], list(range(SIZE)), SIZE, spoils).finish(100)
    assert [result.code for result in results] == [0] * SIZE, results
    assert "20 rounds are right" in results[0].text


@pytest.mark.parametrize("seed", range(4))
def test_lies_overwrite_nothing(seed: int) -> None:
    """Frames whose check sums are right and whose contents are not: some jobs end, some hang, a sanitizer has nothing to say."""
    spoils = {0: (test_pipe.lying(seed, 3 + 4 * seed, 0.03), test_pipe.unchanged)}
    pipes.ring([pipes.program("bare_traffic"), "100"], [0, 1], 2, spoils).finish(2, may_hang=True)
