"""The suite's one clock, where the clocks of the ranks differ and drift."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = Path(os.environ.get("MPICO_BUILD", "build")).resolve()
MPICC, MPIEXEC = BUILD / "bin/mpicc", BUILD / "bin/mpiexec"
built = pytest.mark.skipif(not MPICC.exists(), reason="MPICO_BUILD names no build")

# Rank 1's clock is 3 s ahead and goes faster by a fifth. What it says must lie between two looks of rank 0 at its own, but for the
# doubt of the comparison and the drift since then, which are bounded by what rank 0 has seen pass.
PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>

static double skewed(void);
#define MPI_Wtime skewed
#include "common/clock.c"
#undef MPI_Wtime

static int rank;
static double first_s;

static double skewed(void)
{
    double s = MPI_Wtime();
    return rank == 1 ? s + 3 + 0.2 * (s - first_s) : s;
}

int main(int argc, char **argv)
{
    struct clock c;
    int wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    first_s = MPI_Wtime();
    clock_agree(&c, MPI_COMM_WORLD);
    for (int i = 0; i < 5; i++) {
        double before = clock_now(&c), theirs = 0;
        double start = clock_meet(&c, MPI_COMM_WORLD, 0.02);
        clock_until(&c, start);
        double asked = clock_now(&c);
        if (rank == 0) {
            MPI_Send(NULL, 0, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
            MPI_Recv(&theirs, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            double now = clock_now(&c), doubt = 0.21 * (now - before);
            wrong += !(theirs > asked - doubt && theirs < now + doubt);
        } else {
            MPI_Recv(NULL, 0, MPI_BYTE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            theirs = clock_now(&c);
            MPI_Send(&theirs, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
        }
        clock_until(&c, clock_now(&c) + 0.1);
    }
    if (rank == 0)
        printf("wrong %d apart %d\n", wrong, c.apart);
    MPI_Finalize();
    return 0;
}
"""


@built
def test_clocks_that_drift_are_compared_again(tmp_path: Path) -> None:
    source, program = tmp_path / "drift.c", tmp_path / "drift"
    source.write_text(PROGRAM)
    include = f"-I{ROOT / 'bench/realtime'}"
    subprocess.run([str(MPICC), "-std=gnu11", "-O1", include, str(source), "-o", str(program), "-lm"], check=True)
    done = subprocess.run(
        [str(MPIEXEC), "-n", "2", str(program)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, "wrong 0 apart 1\n"), done.stderr
