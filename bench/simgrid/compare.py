"""Compare mpico's simulated machine with SimGrid's SMPI on this machine: the same programs, ranks and network parameters.

Prints a table of wall time, processor time, peak memory, virtual time and whether a second run gives the same, then a table of
questions with yes or no. Writes ``bench/simgrid/results.json`` below the build directory. See docs/simulators-compared.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from limited import Run, run_limited
from simulators import Simulator, clean_environment, compile_all, compile_measure, simgrid

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 120.0
LIMIT_BYTES = 6 * 10**9
OURS = "mpico"
PINGPONG_ROUNDS = 500_000


@dataclass(frozen=True)
class Case:
    """One program with its arguments and number of ranks."""

    program: str
    ranks: int
    arguments: tuple[str, ...] = ()


CASES = (
    Case("collectives", 100),
    Case("collectives", 1_000),
    Case("collectives", 10_000),
    Case("allgather", 1_000, ("8",)),
    Case("allgather", 1_000, ("1024",)),
    Case("pingpong", 2, (str(PINGPONG_ROUNDS), "8")),
    Case("globals", 64),
    Case("library", 4),
)


@dataclass
class Result:
    """What a simulator made of a case: the figures of the run that was disturbed least, and what the program printed."""

    program: str
    arguments: str
    ranks: int
    simulator: str
    failure: str | None = None
    wall_s: float | None = None
    cpu_s: float | None = None
    peak_bytes: int | None = None
    same_twice: bool | None = None
    printed: dict[str, Any] = field(default_factory=dict)


class Bench:
    """Where jobs run, and by what."""

    def __init__(self, build: Path, machine: Path, limit_s: float) -> None:
        """Compile all programs for both simulators and write SimGrid's platform below ``build``."""
        described = tomllib.loads(machine.read_text())
        if described["network"]["kind"] != "loggp":
            raise SystemExit(f"{machine}: only a network of kind loggp has a counterpart here")
        self.place = build / "bench" / "simgrid"
        self.limit_s = limit_s
        self.measure = compile_measure(self.place)
        compile_all([str(build / "bin" / "mpicc")], self.place / "abi")
        compile_all(["smpicc"], self.place / "smpi")
        launcher = (str(build / "bin" / "mpiexec"), "--machine", str(machine))
        self.ours = Simulator(OURS, launcher, self.place / "abi", ("--trace", "trace"))
        self.alike, self.defaults = simgrid(self.place, described, {case.ranks for case in CASES}, self.place / "smpi")
        self.all = (self.ours, self.alike, self.defaults)

    def run(self, command: Sequence[str], cwd: Path) -> Run:
        """Run one job under the limits. SimGrid's copies of the program are for ``cwd``, which the caller removes."""
        return run_limited(self.measure, command, clean_environment(cwd), cwd, self.limit_s, LIMIT_BYTES)

    def ask(self, command: Sequence[str]) -> tuple[str | None, dict[str, Any], str]:
        """Run one job in a folder of its own; return its failure, what it printed, and the trace, if it wrote one."""
        with tempfile.TemporaryDirectory(dir=self.place) as folder:
            run = self.run(command, Path(folder))
            trace = Path(folder) / "trace"
            return run.failure, printed(run), trace.read_text() if trace.exists() else ""


def printed(run: Run) -> dict[str, Any]:
    """Return the JSON object that a program printed, or none."""
    lines = [line for line in run.out.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else {}


# ---- measuring ----


def measure(bench: Bench, simulator: Simulator, case: Case, times: int) -> Result:
    """Run a case a few times; stop at the first failure."""
    result = Result(case.program, " ".join(case.arguments), case.ranks, simulator.name)
    runs: list[Run] = []
    for _ in range(times):
        with tempfile.TemporaryDirectory(dir=bench.place) as folder:
            run = bench.run(simulator.command(case.ranks, case.program, *case.arguments), Path(folder))
        if run.failure or not printed(run):
            result.failure = run.failure or "it printed nothing"
            return result
        runs.append(run)
    result.wall_s = min(r.wall_s for r in runs if r.wall_s is not None)
    result.cpu_s = min(r.cpu_s for r in runs if r.cpu_s is not None)
    result.peak_bytes = max(r.peak_bytes for r in runs if r.peak_bytes is not None)
    result.same_twice = all(r.out == runs[0].out for r in runs) if times > 1 else None
    result.printed = printed(runs[0])
    return result


Question = tuple[str, Callable[[], str], Callable[[], str]]


def questions(bench: Bench) -> list[Question]:
    """Return what is answered by yes or no: for mpico, and for SMPI."""
    ours, alike, defaults = bench.ours, bench.alike, bench.defaults
    counter = f"--cfg=smpi/privatize-libs:{bench.place / 'smpi' / 'libcounter.so'}"
    abi = Simulator("", defaults.launcher, ours.programs, ())
    return [
        (
            "a program compiled for the standard ABI runs as it is",
            lambda: runs(bench, ours.command(2, "pingpong", "10")),
            lambda: runs(bench, abi.command(2, "pingpong", "10")),
        ),
        (
            "two traces are the same bytes",
            lambda: same(bench, ours.command(100, "collectives", options=ours.trace), trace=True),
            lambda: same(bench, alike.command(100, "collectives", options=alike.trace), trace=True),
        ),
        (
            "two runs have the same times when the host's clock gives those of computation",
            lambda: same(bench, ours.command(100, "collectives", options=("--host-time",))),
            lambda: same(bench, defaults.command(100, "collectives")),
        ),
        (
            "globals of the program are a rank's own",
            lambda: private(bench, ours.command(64, "globals")),
            lambda: private(bench, defaults.command(64, "globals")),
        ),
        (
            "globals of a shared library are a rank's own",
            lambda: private(bench, ours.command(4, "library")),
            lambda: private(bench, defaults.command(4, "library")),
        ),
        (
            "the same, when the library is named in an option",
            lambda: "needs none",
            lambda: private(bench, defaults.command(4, "library", options=(counter,))),
        ),
    ]


def runs(bench: Bench, command: Sequence[str]) -> str:
    """Whether a command ends well."""
    failure, found, _ = bench.ask(command)
    return "yes" if failure is None and found else "no"


def same(bench: Bench, command: Sequence[str], trace: bool = False) -> str:
    """Whether two runs print the same, or write the same trace."""
    answers = []
    for _ in range(2):
        failure, found, written = bench.ask(command)
        if failure or not found or (trace and not written):
            return f"failed: {failure or 'it wrote nothing'}"
        answers.append(written_without_place(written) if trace else found)
    return "yes" if answers[0] == answers[1] else "no"


def written_without_place(trace: str) -> str:
    """Return a trace without its comments: SimGrid's have the command in them, with the folder of temporary files."""
    return "\n".join(line for line in trace.splitlines() if not line.startswith("#"))


def private(bench: Bench, command: Sequence[str]) -> str:
    """Whether no rank found another's value."""
    failure, found, _ = bench.ask(command)
    if failure or "wrong_ranks" not in found:
        return f"failed: {failure or 'it printed nothing'}"
    return "yes" if found["wrong_ranks"] == 0 else "no"


# ---- showing ----

Table = tuple[tuple[str, ...], list[tuple[str, ...]]]


def figure(value: float | None, digits: int = 3) -> str:
    """Return a number with a few digits that count, and none of them lost before the point."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"


def results_table(results: Sequence[Result]) -> Table:
    """One row a simulator and case; MB are 10^6 bytes."""
    head = ("program", "ranks", "simulator", "wall s", "CPU s", "peak MB", "messages/s", "virtual µs", "same twice")
    rows = []
    for r in results:
        name = f"{r.program} {r.arguments}".strip()
        if r.failure:
            rows.append((name, f"{r.ranks:,}", r.simulator, r.failure, "", "", "", "", ""))
            continue
        messages = r.printed["messages"] / r.wall_s if "messages" in r.printed and r.wall_s else None
        peak_mb = r.peak_bytes / 1e6 if r.peak_bytes is not None else None
        again = {True: "yes", False: "no", None: "-"}[r.same_twice]
        virtual = f"{r.printed['virtual_us']:,.2f}"
        figures = (figure(r.wall_s), figure(r.cpu_s), figure(peak_mb), figure(messages), virtual, again)
        rows.append((name, f"{r.ranks:,}", r.simulator, *figures))
    return head, rows


def show(table: Table, plain: bool) -> None:
    """Print a table: by rich on a terminal that has it, else in Markdown."""
    head, rows = table
    try:
        from rich.console import Console
        from rich.table import Table as RichTable
    except ImportError:
        plain = True
    if plain or not sys.stdout.isatty():
        for row in (head, tuple("---" for _ in head), *rows):
            print(f"| {' | '.join(row)} |")
        print()
        return
    pretty = RichTable(*head)
    for row in rows:
        pretty.add_row(*row)
    Console().print(pretty)


def host() -> dict[str, Any]:
    """Return what the figures depend on beside the programs."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
    version = subprocess.run(["smpirun", "-version"], capture_output=True, text=True, check=False).stdout.strip()
    return {"processor": model, "cpus": os.cpu_count(), "load": os.getloadavg()[0], "simgrid": version}


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="where mpico was built (build)")
    parser.add_argument(
        "--machine", type=Path, default=ROOT / "machines" / "cluster.toml", help="a machine of kind loggp"
    )
    parser.add_argument("--only", help="programs, as in pingpong,globals")
    parser.add_argument(
        "--most-ranks", type=int, default=max(case.ranks for case in CASES), help="leave out larger jobs"
    )
    parser.add_argument("--runs", type=int, default=2, help="of each case; from 2 on they are compared (2)")
    parser.add_argument("--limit", type=float, default=LIMIT_S, help="seconds after which a job is ended (120)")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument("--plain", action="store_true", help="tables in Markdown on a terminal too")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print, write; return the exit status."""
    options = parse(arguments)
    missing = [tool for tool in ("smpicc", "smpirun") if shutil.which(tool) is None]
    if missing:
        print(f"Nothing compared: SimGrid is not installed (no {missing[0]}). Debian has it as libsimgrid-dev.")
        return 0
    bench = Bench(options.build.resolve(), options.machine.resolve(), options.limit)
    programs = options.only.split(",") if options.only else [case.program for case in CASES]
    cases = [case for case in CASES if case.program in programs and case.ranks <= options.most_ranks]
    state, results, answers = host(), [], []
    for case in cases:
        for simulator in bench.all:
            print(f"{case.program} {case.ranks} {simulator.name}", file=sys.stderr)
            results.append(measure(bench, simulator, case, options.runs))
    if not options.only:
        answers = [(text, ours(), theirs()) for text, ours, theirs in questions(bench)]
    record = {"host": state, "results": [asdict(r) for r in results], "answers": answers}
    (bench.place / "results.json").write_text(json.dumps(record, indent=1))
    if options.json:
        print(json.dumps(record, indent=1))
    else:
        show(results_table(results), options.plain)
        if answers:
            show((("question", OURS, "SMPI"), answers), options.plain)
    return 0


if __name__ == "__main__":
    sys.exit(main())
