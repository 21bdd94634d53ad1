"""Programs and libraries that would start threads, of which a rank among many in one process has one.

Set MPICO_BUILD as for test_fibers.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from test_fibers import compiled, lines, main, run

BEGIN = """
static void *nothing(void *p) { return p; }
void library_begin(void) { pthread_t t; pthread_create(&t, NULL, nothing, NULL); pthread_join(t, NULL); }
"""


def openmp(folder: Path, body: str) -> str:
    """A program with OpenMP; skips the test where the compiler has none."""
    try:
        return compiled(folder, "#include <omp.h>\n" + body, "-fopenmp")
    except subprocess.CalledProcessError:
        pytest.skip("the compiler has no OpenMP")


@pytest.mark.parametrize(
    ("library", "advice"),
    [
        ("libopenblas.so.0", "libopenblas.so.0 keeps to it with mpiexec -x OPENBLAS_NUM_THREADS=1, or run without"),
        ("libmkl_core.so", "libmkl_core.so keeps to it with mpiexec -x MKL_NUM_THREADS=1, or run without"),
        ("libblis.so.4", "libblis.so.4 keeps to it with mpiexec -x BLIS_NUM_THREADS=1, or run without"),
        ("libtbb.so.12", "have libtbb.so.12 use one thread, or run without"),
        ("libown.so", "run without"),
    ],
)
@pytest.mark.parametrize("place", ["--fibers", "--machine"])
def test_library_that_starts_threads(library: str, advice: str, place: str, tmp_path: Path) -> None:
    compiled(tmp_path, BEGIN, "-shared", "-fPIC", f"-Wl,-soname,{library}", name=library)
    body = "void library_begin(void);" + main("all(); if (rank == 1) library_begin(); all()")
    program = compiled(tmp_path, body, str(tmp_path / library), f"-Wl,-rpath,{tmp_path}")
    job = run(*(["--machine", "cluster"] if place == "--machine" else []), "-n", "2", program)
    assert job.returncode == 1
    says = rf"^mpico: rank 1: calls pthread_create\(\) in .*: a rank has one thread here; {re.escape(advice)} {place}$"
    assert re.search(says, job.stderr, re.MULTILINE), job.stderr


REGION = main("""
    int n = 0;
    #pragma omp parallel CLAUSE reduction(+ : n)
    n++;
    printf("%d %d\\n", rank, n)""")


def test_openmp_is_told_how_to_use_one_thread(tmp_path: Path) -> None:
    free = openmp(tmp_path, REGION.replace("CLAUSE", ""))
    assert lines(run("-x", "OMP_NUM_THREADS=1", "-n", "3", free)) == ["0 1", "1 1", "2 1"]
    two = openmp(tmp_path, REGION.replace("CLAUSE", "num_threads(2)"))
    pattern = (
        r"rank 0: calls pthread_create\(\) in main at .*prog\.c:\d+: a rank has one thread here; lib\S+ keeps to it "
    )
    for given, advice in (("OMP_NUM_THREADS=2", "OMP_NUM_THREADS=1"), ("OMP_NUM_THREADS=1", "OMP_THREAD_LIMIT=1")):
        job = run("-x", given, "-n", "3", two)
        assert job.returncode == 1
        assert re.search(pattern + f"with mpiexec -x {advice}, or run without --fibers\n", job.stderr), job.stderr
    assert lines(run("-x", "OMP_THREAD_LIMIT=1", "-n", "3", two)) == ["0 1", "1 1", "2 1"]


def test_regions_of_openmp_are_each_ranks_own(tmp_path: Path) -> None:
    """Ranks wait within regions, and leave them in another order than they entered."""
    body = main("""
        int n = 0, odd = rank % 2;
        omp_set_num_threads(1);
        omp_set_schedule(omp_sched_dynamic, rank + 1);
        for (int k = 0; k < 3; k++) {
            if (odd) all();
            #pragma omp parallel
            {
                if (!odd) all();
                n += omp_get_level();
                all();
                #pragma omp parallel if (odd)
                { all(); n += 10 * omp_get_level(); }
            }
            n += 100 * omp_get_level();
        }
        int chunk;
        omp_sched_t kind;
        omp_get_schedule(&kind, &chunk);
        printf("%d %d %d\\n", rank, n, chunk)""")
    program = openmp(tmp_path, body)
    assert lines(run("-x", "OMP_NUM_THREADS=1", "-n", "4", program)) == [f"{r} 63 {r + 1}" for r in range(4)]


def test_threads_of_cplusplus_are_refused(tmp_path: Path) -> None:
    body = "#include <thread>\n" + main("std::thread t([] {}); t.join()")
    job = run("-n", "2", compiled(tmp_path, body, compiler="mpicxx"))
    assert job.returncode == 1
    assert re.search(r"rank 0: calls pthread_create\(\) in .*: a rank has one thread here; run without", job.stderr)
