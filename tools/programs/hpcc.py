"""HPL and the other six programs of the HPC Challenge, which one source and one job hold.

Built with Debian's CBLAS of OpenBLAS. Old C of 2012: it calls what MPI 3.0 removed, and our header has that.
"""

from __future__ import annotations

import re

from job import Place, Program, Run, call, require

# The rest of a make file in the form of hpl/setup: names of tools, and where things lie relative to the folders of objects.
MAKE = """\
SHELL = /bin/sh
CD = cd
CP = cp
LN_S = ln -s
MKDIR = mkdir -p
RM = rm -f
TOUCH = touch
TOPdir = ../../..
INCdir = $(TOPdir)/include
LIBdir = $(TOPdir)/lib/$(arch)
HPLlib = $(LIBdir)/libhpl.a
HPL_DEFS = -DHPL_CALL_CBLAS -I$(INCdir) -I$(INCdir)/$(arch)
HPL_LIBS = $(HPLlib) -lopenblas -lm
CC = {mpicc}
CCNOOPT = $(HPL_DEFS)
CCFLAGS = $(HPL_DEFS) -O2
LINKER = $(CC)
LINKFLAGS = $(CCFLAGS)
ARCHIVER = ar
ARFLAGS = r
RANLIB = echo
"""

# Every way that HPL has to broadcast a panel, with and without looking ahead, short and long messages: 2 x 2 x 3 x 6 x 2 systems.
SYSTEMS = 144
INPUT = """\
HPLinpack benchmark input file
-
HPL.out      output file name (if any)
6            device out
2            # of problems sizes (N)
129 1000     Ns
2            # of NBs
16 64        NBs
1            PMAP process mapping
1            # of process grids (P x Q)
{rows}            Ps
{columns}            Qs
16.0         threshold
3            # of panel fact
0 1 2        PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs
6            # of broadcast
0 1 2 3 4 5  BCASTs
2            # of lookahead depth
0 1          DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1
0            U
1            Equilibration
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200         values of N
0            number of additional blocking sizes for PTRANS
40           values of NB
"""


def build(place: Place) -> None:
    """One program, hpcc, in the top folder."""
    (place.source / "hpl" / "Make.mpico").write_text(MAKE.format(mpicc=place.mpicc))
    call(["make", f"-j{place.jobs}", "arch=mpico"], place.source, place.logs / "hpcc-build.log")


def tally(text: str, outcome: str) -> list[int]:
    """What PTRANS and HPL say of their tests, in this order."""
    return [int(n) for n in re.findall(rf"^ *(\d+) tests {outcome}", text, re.MULTILINE)]


def check(text: str) -> int:
    """All of the report hpccoutf.txt: residuals, transposes, tables, transforms, and its own verdict. How many checks passed."""
    passed = tally(text, "completed and passed")
    require(len(passed) == 2 and passed[0] > 0 and passed[1] == SYSTEMS, f"PTRANS and HPL passed {passed} tests")
    for outcome in ("completed and failed", "skipped"):
        require(tally(text, outcome) == [0, 0], f"PTRANS and HPL: {tally(text, outcome)} tests {outcome}")
    summary = dict(re.findall(r"^(\w+)=(\S+)$", text, re.MULTILINE))
    require(summary.get("Success") == "1", f"Success={summary.get('Success')}")
    tables = re.findall(r"^Found (\d+) errors in \d+ locations \((\w+)\)", text, re.MULTILINE)
    require(len(tables) >= 2 and all(found == ("0", "passed") for found in tables), f"RandomAccess: {tables}")
    errors = [float(x) for x in re.findall(r"max\(\|x-x0\|\): *(\S+)", text)]
    require(len(errors) > 0 and all(0 <= x < 1e-12 for x in errors), f"FFT: errors {errors}")
    require("End of HPC Challenge tests" in text, "the report ends early")
    return sum(passed) + len(tables) + len(errors)


def job(rows: int, columns: int) -> Run:
    """The whole benchmark on a grid of ranks."""
    ranks = rows * columns

    def work(place: Place) -> int:
        folder = place.source / f"run-{rows}x{columns}"
        folder.mkdir(exist_ok=True)
        report = folder / "hpccoutf.txt"
        report.unlink(missing_ok=True)
        (folder / "hpccinf.txt").write_text(INPUT.format(rows=rows, columns=columns))
        command = place.launch(ranks, str(place.source / "hpcc"))
        call(command, folder, place.logs / f"hpcc-{rows}x{columns}.log")
        return check(report.read_text(errors="replace"))

    return Run(f"HPL and HPC Challenge, grid {rows} x {columns}", str(ranks), work)


PROGRAM = Program(
    name="hpcc",
    about="HPL with every broadcast of panels and depth of look-ahead, PTRANS, RandomAccess, FFT, STREAM, DGEMM, latencies",
    version="1.5.0-3",
    archive="hpcc_1.5.0.orig.tar.gz",
    sha256="0a6fef7ab9f3347e549fed65ebb98234feea9ee18aea0c8f59baefbe3cf7ffb8",
    folder="hpcc-1.5.0",
    build=build,
    runs=[job(1, 1), job(1, 2), job(3, 1), job(2, 2)],
    needs=("make",),
)
