"""PT-Scotch: the checks of its distributed graphs, partitionings and orderings, with the ranks that its make file chooses.

Its programs ask for MPI_THREAD_MULTIPLE, and its halos are nonblocking collectives of a thread of their own.
"""

from __future__ import annotations

import re

from job import Place, Program, Run, call, require

CHECKS = 24
# As Make.inc/Makefile.inc.x86-64_pc_linux2, but for the wrapper and the optimization.
MAKE = """\
EXE =
LIB = .a
OBJ = .o
MAKE = make
AR = ar
ARFLAGS = -ruv
CAT = cat
CCS = gcc
CCP = {mpicc}
CCD = {mpicc}
CFLAGS = -O1 -fPIC -DCOMMON_FILE_COMPRESS_GZ -DCOMMON_PTHREAD -DCOMMON_PTHREAD_AFFINITY_LINUX -DCOMMON_RANDOM_FIXED_SEED \\
    -DSCOTCH_MPI_ASYNC_COLL -DSCOTCH_PTHREAD -DSCOTCH_PTHREAD_MPI -DSCOTCH_RENAME -Drestrict=__restrict -DIDXSIZE64
CLIBFLAGS =
LDFLAGS = -lz -lm -lrt -pthread
CP = cp
FLEX = flex
LN = ln
MKDIR = mkdir -p
MV = mv
RANLIB = ranlib
BISON = bison
"""


def build(place: Place) -> None:
    """The sequential library, on which the distributed one stands, and its programs."""
    folder = place.source / "src"
    (folder / "Makefile.inc").write_text(MAKE.format(mpicc=place.mpicc))
    call(["make", f"-j{place.jobs}", "ptscotch"], folder, place.logs / "scotch-build.log")


def ptcheck(place: Place) -> int:
    """Scotch's own target. make stops at the first job that fails; the jobs of the log are those that did not."""
    log = place.logs / "scotch-ptcheck.log"
    command = ["make", "ptcheck", f"EXECPPROG={place.mpiexec}", "EXECPFLAGS="]
    text = call(command, place.source / "src", log)
    passed = len(re.findall(rf"^{re.escape(str(place.mpiexec))} ", text, re.MULTILINE))
    require(passed == CHECKS, f"{passed} of {CHECKS} jobs were run; see {log}")
    return passed


PROGRAM = Program(
    name="scotch",
    about="PT-Scotch's ptcheck: distributed graphs scattered, gathered, coarsened, partitioned and ordered, with threads",
    version="7.0.3-2",
    archive="scotch_7.0.3.orig.tar.xz",
    sha256="09b582e75df3cf91313e8dd83306bc9d59385fa358d6d4052e5bbf8c75a83348",
    folder="scotch-7.0.3",
    build=build,
    runs=[Run("ptcheck", "3, 4", ptcheck)],
    needs=("make", "flex", "bison"),
)
