"""Which tests `make test` runs: of the conformance matrix and of other large groups a tenth, another one with each commit.

The tests of one program, in the order of place, ranks and variant, are dealt to PARTS parts in turn, from a place in the round that
depends on the program's name. Commit number n runs part n modulo PARTS, so that any PARTS successive commits run every test that is not
labelled `long`. Where a program's turn has fewer than two places, the next tests of others come along.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

PARTS = 10
PLACES = 2  # of each program, in every run
# Groups beside the matrix that take turns as a program's tests do: the first parts of their names.
GROUPS = ("board", "net", "proof")
LONG = "long"  # the label of what only `make test-all` runs
# What the digest that stands for a commit is made of.
SOURCES = ("src", "ports", "sim", "include", "tests")

CONFORMANCE = re.compile(r"^mpi/(?P<program>.+)/n(?P<ranks>\d+)(?:/(?P<variant>.+))?$")
# Variants of a run by processes; those of other places begin with the place's name.
OF_PROCESSES = re.compile(r"^(noeager|nocma|check|alg\d+)?$")


@dataclass(frozen=True)
class Case:
    """A test as CTest lists it: `number` as `ctest -I` counts, `files` that it needs of the build."""

    name: str
    number: int = 0
    labels: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Run:
    """What the name of a test of the matrix says."""

    program: str
    place: str
    ranks: int
    variant: str


def run_of(name: str) -> Run | None:
    """What a conformance test runs; None: another test."""
    found = CONFORMANCE.match(name)
    if not found:
        return None
    variant = found["variant"] or ""
    place = "process" if OF_PROCESSES.match(variant) else variant.split("_")[0]
    return Run(found["program"], place, int(found["ranks"]), variant)


def turn(program: str, tests: list[tuple[Run, Case]], part: int) -> list[Case]:
    """Of one program's tests those of a part, with at least PLACES places where it has them."""
    tests = sorted(tests, key=lambda pair: (pair[0].place, pair[0].ranks, pair[0].variant))
    first = (part - zlib.crc32(program.encode())) % PARTS
    taken = tests[first::PARTS]
    places = {run.place for run, _ in taken}
    for run, test in tests[first:] + tests[:first]:
        if len(places) >= PLACES:
            break
        if run.place not in places:
            places.add(run.place)
            taken.append((run, test))
    return [test for _, test in taken]


def in_turn(name: str) -> Run | None:
    """What a test runs that takes turns; None: one that every commit runs. A group is a program of one place."""
    group = name.split("/")[0]
    return Run(group, group, 0, name) if group in GROUPS else run_of(name)


def sample(tests: Iterable[Case], part: int) -> list[Case]:
    """Part `part` of what takes turns, and all other tests; nothing that is long. In the order of their numbers."""
    chosen, programs = [], dict[str, list[tuple[Run, Case]]]()
    for test in tests:
        run = in_turn(test.name)
        if LONG in test.labels:
            continue
        if run:
            programs.setdefault(run.program, []).append((run, test))
        else:
            chosen.append(test)
    for program, group in programs.items():
        chosen += turn(program, group, part)
    return sorted(chosen, key=lambda test: test.number)


def git(root: Path, *words: str) -> str:
    """What git says of this folder; empty where it is no checkout, or there is no git."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def digest(root: Path) -> int:
    """A number that changes with the sources."""
    sum_ = hashlib.sha256()
    for folder in SOURCES:
        for path in sorted(path for path in (root / folder).rglob("*") if path.is_file() and path.suffix != ".pyc"):
            sum_.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return int.from_bytes(sum_.digest()[:8], "big")


def part_of(root: Path) -> tuple[int, str]:
    """The part of the commit that is checked out, and why it is this one.

    Commits are counted along first parents, where one follows the other without a gap. Where the history is cut off, or there is none,
    the sources decide: the part still changes with them, but nothing says that ten changes meet all parts.
    """
    top = git(root, "rev-parse", "--show-toplevel")
    if top and Path(top).resolve() == root.resolve() and git(root, "rev-parse", "--is-shallow-repository") == "false":
        count = git(root, "rev-list", "--count", "--first-parent", "HEAD")
        if count:
            return int(count) % PARTS, f"commit number {count}"
    return digest(root) % PARTS, "by a digest of the sources: the history is not there"
