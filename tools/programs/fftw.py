"""FFTW's transforms over MPI: its mpi-bench verifies a list of ours and random ones, which its own tests/check.pl draws."""

from __future__ import annotations

import re

from job import Place, Program, Run, call, require

SEED = 1
RANDOM_TESTS = 10
RANDOM_SIZE = 10000
COMPLEX = ("1024", "1000", "4096", "64x64", "60x45", "32x32x32", "12x30x21")
REAL = ("64x64", "60x45", "32x32x32", "12x30x21")
# perl, told the seed: the same problems each time.
SEEDED = f"srand {SEED}; my $script = shift @ARGV; do $script; die $@ if $@"


def build(place: Place) -> None:
    """With little optimization: it is the messages that are tested. mpi-bench is linked with FFTW's archives."""
    flags = ["CFLAGS=-O1", "--enable-mpi", "--enable-threads", "--disable-fortran", "--disable-doc", "--disable-shared"]
    command = ["./configure", f"MPICC={place.mpicc}", *flags]
    call(command, place.source, place.logs / "fftw3-configure.log")
    call(["make", f"-j{place.jobs}"], place.source, place.logs / "fftw3-build.log")


def problems() -> list[str]:
    """In place and not, both directions, complex and real, plain and with the data left transposed."""
    found = [f"{place}{way}c{size}" for size in COMPLEX for way in "fb" for place in "io"]
    found += [f"{place}{way}r{size}" for size in REAL for way in "fb" for place in "io"]
    found += [f"{place}fc]{size}" for size in COMPLEX if "x" in size for place in "io"]
    return found


def verified(text: str) -> int:
    """Lines of mpi-bench: the problem and the three errors it found small enough."""
    number = r"[\d.]+(?:e[+-]?\d+)?"
    return len(re.findall(rf"^\S+ {number} {number} {number}$", text, re.MULTILINE))


def listed(ranks: int) -> Run:
    """Our list, in one job."""

    def work(place: Place) -> int:
        words = [word for problem in problems() for word in ("--verify", problem)]
        bench = place.source / "mpi" / "mpi-bench"
        command = place.launch(ranks, str(bench), "--verbose=1", "--verify-rounds=3", "-o", "estimate", *words)
        passed = verified(call(command, place.source / "mpi", place.logs / f"fftw3-list-{ranks}.log"))
        require(passed == len(problems()), f"{passed} of {len(problems())} transforms verified")
        return passed

    return Run("mpi-bench, transforms of 1 to 3 dimensions", str(ranks), work)


def drawn(ranks: int, *options: str) -> Run:
    """FFTW's own check: random sizes, ranks and layouts, plans chosen by measuring."""

    def work(place: Place) -> int:
        bench = " ".join(place.launch(ranks, str(place.source / "mpi" / "mpi-bench")))
        amount = ["--random", f"--maxsize={RANDOM_SIZE}", f"-c={RANDOM_TESTS}"]
        script = ["../tests/check.pl", "--verbose", *amount, "--mpi", *options, bench]
        log = place.logs / f"fftw3-check-{ranks}{''.join(options)}.log"
        text = call(["perl", "-e", SEEDED, *script], place.source / "mpi", log)
        require("FAILED" not in text, f"check.pl says FAILED; see {log}")
        passed = verified(text)
        require(passed > RANDOM_TESTS, f"only {passed} transforms verified")
        return passed

    return Run(" ".join(("check.pl, random transforms", *options)), str(ranks), work)


PROGRAM = Program(
    name="fftw3",
    about="mpi-bench, FFTW's test of its transforms over MPI, alone and under its script tests/check.pl",
    version="3.3.10-1",
    archive="fftw3_3.3.10.orig.tar.gz",
    sha256="56c932549852cddcfafdab3820b0200c7742675be92179e59e6215b340e26467",
    folder="fftw-3.3.10",
    build=build,
    runs=[*(listed(n) for n in range(1, 5)), *(drawn(n) for n in range(1, 5)), drawn(3, "--nthreads=2")],
    needs=("make", "perl"),
)
