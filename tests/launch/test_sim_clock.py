"""The clocks of simulated processors: who makes progress when, and that time neither goes back nor runs over.

The machines here are those of machines/ with a few keys replaced. Set MPICO_BUILD to a folder with bin/mpiexec,
bin/mpicc and lib/mpico/sim.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

MACHINES = Path(__file__).resolve().parents[2] / "machines"

HEAD = """
#include <mpi.h>
#include <mpico.h>
#include <stdio.h>
#include <stdlib.h>
static void slow(int *in, int *inout, int *len, MPI_Datatype *type)
{
    for (int i = 0; i < *len; i++)
        inout[i] += in[i];
    mpico_compute(50000);
}
int main(int argc, char **argv)
{
    int rank, size;
    char buf[65536];
    double t;
    MPI_Request q;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
"""
TAIL = """
    MPI_Finalize();
    return 0;
}
"""


def build() -> Path:
    """The build folder; skips the test where none is named, or where it has no simulator."""
    folder = os.environ.get("MPICO_BUILD")
    if not folder:
        pytest.skip("MPICO_BUILD is not set")
    if not (Path(folder) / "lib/mpico/sim/mpico-sim").exists():
        pytest.skip("this build has no simulator")
    return Path(folder)


def run(
    folder: Path, ranks: int, base: str, body: str, *words: str, **keys: object
) -> subprocess.CompletedProcess[str]:
    """`body` between HEAD and TAIL, on the machine `base` with other values for some keys."""
    source, program, machine = folder / "prog.c", folder / "prog", folder / f"{base}.toml"
    text = (MACHINES / f"{base}.toml").read_text()
    for key, value in keys.items():
        text, n = re.subn(rf"^{key} = [^#\n]*", f"{key} = {value} ", text, flags=re.MULTILINE)
        assert n == 1, f"{base}.toml has {n} lines of {key}"
    machine.write_text(text)
    source.write_text(HEAD + body + TAIL)
    subprocess.run([str(build() / "bin/mpicc"), "-O1", "-w", str(source), "-o", str(program)], check=True)
    command = [str(build() / "bin/mpiexec"), "-n", str(ranks), "--machine", str(machine), *words]
    return subprocess.run([*command, str(program)], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("discipline", ["windowed", "stop-and-wait"])
def test_a_ring_whose_nodes_make_progress_in_calls_alone(discipline: str, tmp_path: Path) -> None:
    body = """
    int n = 0, sum = -1;
    for (int i = 0; i < 3; i++) {
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 2) % size, 0, &n, 1, MPI_INT, (rank + size - 2) % size, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Allreduce(&n, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(buf, 5000, MPI_BYTE, i, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%d\\n", sum);"""
    job = run(tmp_path, 5, "sharc-ring", body, "--discipline", discipline, progress='"calls"')
    assert (job.returncode, job.stdout) == (0, "10\n"), job.stderr


def test_a_node_forwards_while_its_rank_finalizes(tmp_path: Path) -> None:
    """Rank 1 lies between the others, which have much to say to each other when it has nothing more to do."""
    body = """
    if (rank != 1) {
        MPI_Comm two;
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &two);
        for (int i = 0; i < 50; i++)
            MPI_Bcast(buf, 5000, MPI_BYTE, i % 2, two);
    } else {
        MPI_Comm none;
        MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, rank, &none);
    }
    if (rank == 0)
        puts("through");"""
    job = run(tmp_path, 3, "sharc-ring", body, progress='"calls"')
    assert (job.returncode, job.stdout) == (0, "through\n"), job.stderr


@pytest.mark.parametrize(
    ("base", "key"), [("cluster", "progress"), ("paragon-line", "clock_hz"), ("sharc-ring", "progress")]
)
def test_time_does_not_go_back_when_a_second_processor_works(base: str, key: str, tmp_path: Path) -> None:
    """Messages that arrive at every moment of a computation, also just before its end."""
    body = """
    for (int k = 0; k < 200; k++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double before = MPI_Wtime();
        if (rank == 0) {
            mpico_compute(1000);
            MPI_Ssend(buf, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        } else {
            MPI_Irecv(buf, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &q);
            mpico_compute(1000 + k * 200);
            MPI_Wait(&q, MPI_STATUS_IGNORE);
        }
        if (MPI_Wtime() < before)
            puts("back");
    }
    if (rank == 0)
        puts("done");"""
    keys = {"progress": '"processor"'} if key == "progress" else {}
    job = run(tmp_path, 2, base, body, **keys)
    assert (job.returncode, job.stdout) == (0, "done\n"), job.stderr


def test_what_came_during_a_call_is_handled_when_the_computation_begins(tmp_path: Path) -> None:
    """A synchronous message comes while rank 1 is inside a slow call that does not look at its links: its
    sender does not wait for the end of the computation after it."""
    body = """
    if (rank == 0) {
        t = MPI_Wtime();
        MPI_Ssend(buf, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        printf("%.0f\\n", (MPI_Wtime() - t) * 1e6);
    } else {
        MPI_Irecv(buf, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &q);
        for (int i = 0; i < 4; i++)
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        mpico_compute(1.2e9); /* 0.1 s */
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    }"""
    job = run(tmp_path, 2, "cluster", body, progress='"processor"', call=300000)  # 100 us a call
    assert job.returncode == 0, job.stderr
    assert 100 <= int(job.stdout) < 2000


def test_an_operation_that_computes_inside_progress_loses_no_arrival(tmp_path: Path) -> None:
    body = """
    for (int i = 0; i < 20; i++) {
        MPI_Op op;
        int one = 1, sum = 0;
        MPI_Op_create((MPI_User_function *)slow, 1, &op);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
        MPI_Op_free(&op);
        if (sum != size)
            puts("wrong");
    }
    if (rank == 0)
        puts("done");"""
    job = run(tmp_path, 7, "sharc-ring", body)
    assert (job.returncode, job.stdout) == (0, "done\n"), job.stderr


@pytest.mark.parametrize("what", ["mpico_compute(1e30)", "mpico_compute(2e15)", "mpico_compute_bytes(1e19)"])
def test_more_time_than_there_is(what: str, tmp_path: Path) -> None:
    """Beyond 2^63 picoseconds: told, not wrapped."""
    job = run(tmp_path, 1, "sharc-ring", f'{what}; puts("on");')
    assert job.returncode != 0
    assert "106 days" in job.stderr
    assert "on" not in job.stdout


def test_a_long_time_is_exact(tmp_path: Path) -> None:
    body = 't = MPI_Wtime(); mpico_compute(8e13); printf("%.0f\\n", MPI_Wtime() - t);'
    job = run(tmp_path, 1, "sharc-ring", body)  # 80 million a second
    assert (job.returncode, job.stdout) == (0, "1000000\n"), job.stderr
