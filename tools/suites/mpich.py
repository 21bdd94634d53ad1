#!/usr/bin/env python3
"""MPICH's own test suite, unmodified, on our library: its programs built with our wrapper and judged as MPICH judges them.

The sources are those of Debian's package. Prints what fails and a line a folder; status 1 when something fails. With --json every run is
written, with --docs the table goes to docs/suites.md.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from testlist import Case, cases

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools" / "programs"), str(ROOT / "python")]

import source  # noqa: E402
from job import Failed, Place, Program, call, say  # noqa: E402

PAGE = ROOT / "docs" / "suites.md"
MARK = "<!-- What stands below is written by `tools/suites/mpich.py --docs`. -->"
LATE = 124
"""mpiexec's exit status of a job that took too long."""
NEVER_ENDS = "timeout"
"""The program that wants to be ended."""
PASSED = ("No Errors", "No errors", "Test Passed")
FOLDERS = (
    "attr info init group comm errhan topo mpi_t datatype pt2pt part threads/pt2pt threads/comm threads/coll threads/init "
    "threads/mpi_t threads/rma threads/part errors/attr errors/coll errors/comm errors/datatype errors/group "
    "errors/pt2pt errors/topo errors/rma errors/basic impls/mpich rma coll"
).split()


# What needs Fortran, C++, files or processes that are spawned is left out, and what is an extension of MPICH's.
OPTIONS = ("--disable-fortran", "--disable-cxx", "--disable-spawn", "--enable-threads=multiple", "--enable-strictmpi")


def configure(place: Place) -> None:
    """Its configure and its own library."""
    tests = place.source / "test" / "mpi"
    tools = [f"CC={place.mpicc}", f"MPICC={place.mpicc}", f"MPIEXEC={place.mpiexec}"]
    call(["./configure", *OPTIONS, *tools], tests, place.logs / "mpich-configure.log")
    for folder in ("dtpools", "util"):
        call(["make", f"-j{place.jobs}"], tests / folder, place.logs / f"mpich-{folder}.log")


SUITE = Program(
    name="mpich",
    about="MPICH's test suite",
    version="4.0.2-3",
    archive="mpich_4.0.2.orig.tar.xz",
    sha256="b27039f964afeb6b8a3e009c56b441cbe368c26d6d6476ad3bb7190996875860",
    folder="mpich-4.0.2",
    build=configure,
    runs=[],
    needs=("make", "perl"),
)


@dataclass(frozen=True)
class Outcome:
    """How a run went. ``state``: passed, failed, excluded (``why`` says the reason), xfail (fails as MPICH expects)."""

    name: str
    folder: str
    state: str
    why: str
    seconds: float


# ---- What is left out, and why ----


def reason_to_exclude(case: Case, table: dict[str, str]) -> str:
    """Look up ``folder/program ranks arguments``, ``folder/program`` and the folder."""
    for name in (case.name, f"{case.folder}/{case.program}", case.folder):
        if name in table:
            return table[name]
    return ""


def with_setting(case: Case, settings: dict[str, str]) -> Case:
    """The case with the variable that the table has for its program."""
    name, _, value = settings.get(f"{case.folder}/{case.program}", "").partition("=")
    return replace(case, environment={**case.environment, name: value}) if name else case


# ---- Building and running ----


def build(tests: Path, chosen: Iterable[Case], place: Place) -> dict[str, str]:
    """Compile what is chosen, folder by folder. Returns the complaint of each program that does not compile."""
    broken = {}
    folders: dict[str, set[str]] = {}
    for case in chosen:
        folders.setdefault(case.folder, set()).add(case.program)
    for folder, programs in folders.items():
        wanted = sorted(programs)
        log = place.logs / f"mpich-{folder.replace('/', '-')}.log"
        with log.open("w") as out:
            command = ["make", "-k", f"-j{place.jobs}", *wanted]
            subprocess.run(command, cwd=tests / folder, stdout=out, stderr=subprocess.STDOUT, check=False)
        for program in wanted:
            if not (tests / folder / program).exists():
                broken[f"{folder}/{program}"] = f"does not compile: see {log}"
    return broken


def answer(case: Case, status: int, text: str) -> str:
    """Judge a run that has ended: nothing, or what is wrong."""
    lines = [line for line in text.splitlines() if line.strip()]
    if status == LATE and case.program != NEVER_ENDS:
        return f"not ended after {case.limit_s:.0f} s: {' | '.join(lines[-4:])}"
    if case.result == "nonzero":
        return "" if status else "ended with status 0, where another one was due"
    if status:
        return f"status {status}: {' | '.join(lines[-3:])}"
    if not any(line.strip() in PASSED for line in lines):
        return f"never said No Errors: {' | '.join(lines[-3:])}"
    others = [line for line in lines if line.strip() not in PASSED]
    return f"printed: {' | '.join(others[:3])}" if case.strict and others else ""


def run(case: Case, tests: Path, place: Place) -> Outcome:
    """Run and judge one case."""
    started = time.monotonic()
    limit = [str(place.mpiexec), "--timeout", f"{case.limit_s:g}"]  # which tells who waits for whom
    command = [*limit, *place.launch(case.ranks, f"./{case.program}", *case.arguments)[1:]]
    done = subprocess.run(
        command,
        cwd=tests / case.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**os.environ, **case.environment},
        check=False,
    )
    why = answer(case, done.returncode, done.stdout)
    state = "passed" if not why else "xfail" if case.expected_to_fail else "failed"
    return Outcome(case.name, case.folder, state, why, time.monotonic() - started)


def run_all(
    chosen: Sequence[Case], broken: dict[str, str], tests: Path, place: Place, table: dict[str, str]
) -> list[Outcome]:
    """Run everything, a few at a time; failures are told as they come."""

    def one(case: Case) -> Outcome:
        if reason := reason_to_exclude(case, table):
            return Outcome(case.name, case.folder, "excluded", reason, 0.0)
        if why := broken.get(f"{case.folder}/{case.program}"):
            return Outcome(case.name, case.folder, "xfail" if case.expected_to_fail else "failed", why, 0.0)
        outcome = run(case, tests, place)
        if outcome.state == "failed":
            say(f"failed: {outcome.name}: {outcome.why}")
        return outcome

    with ThreadPoolExecutor(place.jobs) as pool:
        return list(pool.map(one, chosen))


# ---- Telling ----


def table_of(outcomes: Sequence[Outcome]) -> str:
    """Return a Markdown table, a row a folder."""
    states = ("passed", "failed", "xfail", "excluded")
    lines = ["| folder | " + " | ".join(states) + " | seconds |", "|---|" + "---:|" * (len(states) + 1)]
    folders = [*dict.fromkeys(o.folder for o in outcomes), "all"]
    for folder in folders:
        found = [o for o in outcomes if folder in ("all", o.folder)]
        counts = " | ".join(str(sum(o.state == s for o in found)) for s in states)
        lines.append(f"| {folder} | {counts} | {sum(o.seconds for o in found):.0f} |")
    return "\n".join(lines)


def main() -> int:
    """Judge; return the exit code."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", type=Path, default=ROOT / "build", help="where mpico is built (build)")
    p.add_argument("--work", type=Path, help="where everything is kept (suites below the build directory)")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time (as many as processors)")
    p.add_argument(
        "--only", default="", metavar="TEXT", help="cases whose name (folder/program ranks arguments) contains it"
    )
    p.add_argument("--mirror", default=source.MIRROR, help="where Debian's sources come from")
    p.add_argument("--json", type=Path, metavar="FILE", help="write every run here")
    p.add_argument("--docs", action="store_true", help="write the table to docs/suites.md")
    given = p.parse_args()
    built = given.build.resolve()
    work = (given.work or built / "suites").resolve()
    place = Place(work / SUITE.folder, work / "logs", built / "bin" / "mpicc", built / "bin" / "mpiexec", given.jobs)
    if missing := [command for command in SUITE.needs if not shutil.which(command)]:
        raise SystemExit(f"{missing[0]} is missing: tools/setup.sh programs")
    stamp, wanted = work / "configured", f"{built} {' '.join(OPTIONS)}"
    place.logs.mkdir(parents=True, exist_ok=True)
    try:
        if not stamp.exists() or stamp.read_text() != wanted:
            source.fetch([SUITE], work, given.mirror)
            source.unpack(SUITE, work)
            say("Configuring MPICH's test suite")
            configure(place)
            stamp.write_text(wanted)
    except Failed as why:
        print(f"failed: {why}", file=sys.stderr)
        return 1
    tables = tomllib.loads((Path(__file__).parent / "mpich.toml").read_text())
    table: dict[str, str] = tables["excluded"]
    tests = place.source / "test" / "mpi"
    chosen = [
        with_setting(case, tables["environment"]) for case in cases(tests, list(FOLDERS)) if given.only in case.name
    ]
    say(f"Building the programs of {len(chosen)} cases")
    broken = build(tests, [c for c in chosen if not reason_to_exclude(c, table)], place)
    outcomes = run_all(chosen, broken, tests, place, table)
    print(table_of(outcomes))
    if given.json:
        given.json.write_text(json.dumps([asdict(o) for o in outcomes], indent=1) + "\n")
    if given.docs:
        above = PAGE.read_text().split(MARK)[0]
        PAGE.write_text(f"{above}{MARK}\n\n{table_of(outcomes)}\n")
    failed = [o for o in outcomes if o.state == "failed"]
    for o in failed:
        print(f"failed: {o.name}: {o.why}")
    counts = {state: sum(o.state == state for o in outcomes) for state in ("passed", "failed")}
    print(f"{counts['passed']} passed, {counts['failed']} failed, {len(outcomes) - sum(counts.values())} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
