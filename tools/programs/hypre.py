"""hypre's parallel checks: solvers of linear systems on three kinds of grids, compared with saved results.

The jobs are those of `make checkpar`, up to 8 ranks; its script runtest.sh compares what they print, checktest.sh tells whose
comparison left an error file. The scripts say /bin/sh and mean bash.
"""

from __future__ import annotations

import re

from job import Place, Program, Run, call, require

TOLERANCE = "1.e-06"


def build(place: Place) -> None:
    """The library, with its own C translation of BLAS and LAPACK, and the test drivers."""
    folder = place.source / "src"
    wrappers = [f"CC={place.mpicc}", f"CXX={place.mpicc.with_name('mpicxx')}"]
    flags = ["CFLAGS=-O1", "CXXFLAGS=-O1", "--disable-fortran"]
    call(["./configure", *wrappers, *flags], folder, place.logs / "hypre-configure.log")
    call(["make", f"-j{place.jobs}"], folder, place.logs / "hypre-build.log", limit_s=3600)
    call(["make", f"-j{place.jobs}", "all"], folder / "test", place.logs / "hypre-drivers.log")


def suite(name: str, what: str, ranks: str) -> Run:
    """One of its folders of jobs."""

    def work(place: Place) -> int:
        folder = place.source / "src" / "test"
        log = place.logs / f"hypre-{name}.log"
        call(["bash", "cleantest.sh", f"TEST_{name}"], folder, log)
        launcher = f"{place.mpiexec} -n"
        call(["bash", "runtest.sh", "-rtol", TOLERANCE, "-mpi", launcher, f"TEST_{name}/solvers.sh"], folder, log)
        verdict = call(["bash", "checktest.sh", f"TEST_{name}"], folder, place.logs / f"hypre-{name}-verdict.log")
        require("OK" in verdict and "FAILED" not in verdict, f"{verdict.strip()}; see {folder}/TEST_{name}/solvers.err")
        jobs = (folder / f"TEST_{name}" / "solvers.jobs").read_text()
        return len(re.findall(r"^mpirun ", jobs, re.MULTILINE))

    return Run(what, ranks, work)


PROGRAM = Program(
    name="hypre",
    about="solvers of TEST_ij, TEST_struct and TEST_sstruct, as make checkpar runs them",
    version="2.26.0-3",
    archive="hypre_2.26.0.orig.tar.gz",
    sha256="c214084bddc61a06f3758d82947f7f831e76d7e3edeac2c78bb82d597686e05d",
    folder="hypre-2.26.0",
    build=build,
    runs=[
        suite("ij", "algebraic solvers (TEST_ij)", "2 to 8"),
        suite("struct", "structured grids (TEST_struct)", "1, 3"),
        suite("sstruct", "semi-structured grids (TEST_sstruct)", "1, 2"),
    ],
    needs=("make", "bash", "bc"),
)
