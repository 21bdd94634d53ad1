"""mpi4py's test suite, its benchmarks and its futures demo, run on mpico and judged by what they say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from place import Failed, Place, call, ended, keep_log

EXCLUDED: Mapping[str, str] = {
    "test_file.*": "files",
    "test_io.*": "files",
    "test_errhandler.TestErrhandlerFile.*": "files: the error handler of an open one",
    "test_handle.TestHandleFile.*": "files: the handle of an open one",
    "test_subclass.TestMyFile.*": "files: a subclass of an open one",
    "test_objmodel.TestObjModel.testSafeFreeCreated": "files: one of the objects is an open file",
    "test_spawn.*": "dynamic processes: spawn",
    "test_dynproc.*": "dynamic processes: ports, connect, accept, join, names",
    "test_util_pool.TestProcessPool.*": "dynamic processes: its workers are spawned",
}
"""Pattern of ``module.Class.test`` as test/main.py -x takes them, and what about the tests mpico does not have."""

WHOLE_MODULES = tuple(p.removesuffix(".*") for p in EXCLUDED if p.count(".") == 1)
"""Modules of which nothing is left: not even loaded, as two of them open a file to see whether there are files."""

BENCHES: Sequence[tuple[int, str]] = (
    (3, "-m mpi4py.bench helloworld"),
    (5, "-m mpi4py.bench ringtest"),
    (2, "-m mpi4py.bench pingpong --max-size 65536"),
    (2, "-m mpi4py.bench pingpong --max-size 65536 --pickle"),
    (5, "-m mpi4py.futures -m mpi4py.bench futures --max-size 1024 --loop 20"),
)
FUTURES: Sequence[tuple[int, str]] = (
    (5, "-m mpi4py.futures run_cpi.py"),
    (5, "-m mpi4py.futures run_hello.py"),
    (5, "-m mpi4py.futures run_primes.py"),
    (5, "run_julia.py"),
    (5, "run_mandelbrot.py"),
    (2, "-m mpi4py.futures test_futures.py -q"),
    (3, "-m mpi4py.futures test_futures.py -q"),
)
"""Programs of demo/futures that need no network; their workers are ranks of the job, not spawned."""


@dataclass
class Run:
    """One command and what became of it."""

    name: str
    ranks: int
    passed: int = 0
    skipped: int = 0
    excluded: int = 0
    seconds: float = 0.0
    failed: list[str] = field(default_factory=list)

    def tests(self) -> int:
        """Return how many tests ran or were skipped."""
        return self.passed + self.skipped + len(self.failed)


COUNT = """
import fnmatch, re, sys, unittest
sys.path.insert(0, "test")
def names(suite):
    for t in suite:
        yield from names(t) if isinstance(t, unittest.TestSuite) else [t.id()]
left_out, only = sys.argv[2:], re.compile(sys.argv[1]).search
for name in names(unittest.TestLoader().discover("test", "test_*.py")):
    name = name.removeprefix("unittest.loader._FailedTest.")
    if only(name.split(".")[0] + ".py"):
        print("out:", next((p for p in left_out if fnmatch.fnmatchcase(name + ".", p) or fnmatch.fnmatchcase(name, p)), "-"))
"""
"""Prints for each test the pattern that leaves it out, or -. A module that cannot be loaded counts as one test."""


def count_excluded(place: Place, only: str) -> int:
    """Return how many tests are left out. A pattern that fits no test is an error: the list has aged."""
    command = [str(place.python()), "-c", COUNT, only, *EXCLUDED]
    _, said, _ = call(command, 120, place.package(), place.env())
    found = re.findall(r"^out: (\S+)$", said, re.MULTILINE)
    stale = [p for p in EXCLUDED if p not in found]
    if not found or (only == "" and stale):
        raise Failed(f"no test fits {', '.join(stale)}\n{said[-2000:]}")
    return sum(p != "-" for p in found)


def suite_command(place: Place, ranks: int, only: str) -> list[str]:
    """Return the command line of mpi4py's test/main.py."""
    command = [*place.launch(ranks), str(place.python()), "test/main.py", "--no-builddir", "-v"]
    command += ["-e", rf"^({'|'.join(WHOLE_MODULES)})\.py$"]
    for pattern in EXCLUDED:
        command += ["-x", pattern]
    return [*command, "-i", only] if only else command


def read_verdicts(said: str) -> tuple[list[int], list[int], list[str]]:
    """Return from unittest's output, of all ranks: tests run, skipped, and names of those that failed."""
    ran = [int(n) for n in re.findall(r"^Ran (\d+) tests? in", said, re.MULTILINE)]
    ends = re.findall(r"^(?:OK|FAILED)(?: \((.*)\))?$", said, re.MULTILINE)
    skipped = [int(m[1]) if (m := re.search(r"skipped=(\d+)", e)) else 0 for e in ends]
    names = re.findall(r"^(?:ERROR|FAIL|UNEXPECTED SUCCESS): \S+ \((\S+?)\)", said, re.MULTILINE)
    return ran, skipped, sorted(set(names))


def run_suite(place: Place, name: str, ranks: int, only: str, limit_s: float) -> Run:
    """Run the suite with so many ranks, and judge what all of them said."""
    code, said, seconds = call(suite_command(place, ranks, only), limit_s, place.package(), place.env())
    log = keep_log(place, f"{name}-{ranks}", said)
    ran, skipped, failed = read_verdicts(said)
    tests, wanted = max(ran, default=0), max(ranks, 1)
    if len(ran) != wanted or min(ran, default=0) == 0 or (code != 0 and not failed):
        failed.append(f"({ended(code, limit_s)}, {len(ran)} of {wanted} ranks finished: {log})")
        tests += 1
    skips = max(skipped, default=0)
    return Run(name, ranks, max(tests - skips - len(failed), 0), skips, seconds=seconds, failed=failed)


def run_program(place: Place, ranks: int, words: str, cwd: Path, limit_s: float) -> Run:
    """Run one program of the package: it passes when it ends with 0."""
    command = [*place.launch(ranks), str(place.python()), *words.split()]
    code, said, seconds = call(command, limit_s, cwd, place.env())
    log = keep_log(place, f"{words}-{ranks}", said)
    failed = [] if code == 0 else [f"({ended(code, limit_s)}: {log})"]
    return Run(words, ranks, int(code == 0), seconds=seconds, failed=failed)


def run_extras(place: Place, limit_s: float) -> Iterable[Run]:
    """Run mpi4py.bench and the futures demo."""
    for programs, cwd in ((BENCHES, place.work), (FUTURES, place.package() / "demo" / "futures")):
        for ranks, words in programs:
            yield run_program(place, ranks, words, cwd, limit_s)
