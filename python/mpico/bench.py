"""`mpico bench`: the times of messages and collectives, on any place that programs run on. docs/measuring.md defines them."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from .bench_report import WIDE, print_table, write_csv
from .bench_runs import Plan, RunError, Where, default_patterns, run_plan
from .machine import DescriptionError
from .places import PlaceError
from .progress import progress_bar
from .results import PATTERNS, Environment, Measurement, Results, write_record

CANNOT = 2
INTERRUPTED = 130
SIZES, BOARD_SIZES = "4:16384", "4:256"
BUDGET_MS, BOARD_BUDGET_MS = 200.0, 2000.0


class WishError(Exception):
    """The options ask for what cannot be; the text says what to write instead."""


def sizes_of(text: str) -> tuple[int, ...]:
    """Sizes in bytes from "4,100,4:16384"; a range is doubled from its first to its last. Raises WishError."""
    sizes: set[int] = set()
    try:
        for word in text.split(","):
            first, _, last = word.partition(":")
            size, most = int(first), int(last or first)
            if size < 0 or most < size or (size == 0 and most > 0):
                raise ValueError
            while size <= most:
                sizes.add(size)
                size = max(2 * size, 1)
    except ValueError:
        raise WishError(
            f"--sizes {text}: write bytes, as in 4,64,1024, or a range that is doubled, as in 4:16384"
        ) from None
    return tuple(sorted(sizes))


def ranks_of(text: str) -> tuple[int, ...]:
    """Numbers of ranks from "2,3,4". Raises WishError."""
    try:
        ranks = tuple(int(word) for word in text.split(","))
    except ValueError:
        ranks = ()
    if not ranks or min(ranks) < 2:
        raise WishError(f"--ranks {text}: write numbers from 2, as in 2,3,4")
    return ranks


def patterns_of(text: str) -> tuple[str, ...]:
    """Patterns from "pingpong,bcast", or "all". Raises WishError."""
    patterns = PATTERNS if text == "all" else tuple(text.split(","))
    wrong = [p for p in patterns if p not in PATTERNS]
    if wrong:
        raise WishError(f"--patterns: there is no '{wrong[0]}'; there are {', '.join(PATTERNS)}")
    return patterns


def check_pairs(text: str, ranks: tuple[int, ...]) -> str:
    """The pairs as they are, when each is two of the ranks of every run. Raises WishError."""
    pairs = [] if text in ("all", "from-0") else [word.partition("-")[::2] for word in text.split(",")]
    for first, second in pairs:
        good = first.isdecimal() and second.isdecimal() and first != second
        if not good or max(int(first), int(second)) >= min(ranks):
            raise WishError(f"--pairs {text}: write all, from-0, or two ranks below {min(ranks)} each, as in 0-1,1-0")
    return text


def measure(where: Where, plan: Plan, output: Path | None, taken: list[Measurement]) -> Environment:
    """All runs, with a progress bar; each measurement goes to `taken` and at once to the file `output`.

    Raises PlaceError, DescriptionError, RunError, OSError, KeyboardInterrupt; what was taken until then stays.
    """
    begun: list[Environment] = []
    with ExitStack() as stack:
        out = stack.enter_context(output.open("w", encoding="utf-8")) if output else None
        bar = stack.enter_context(progress_bar())
        task = bar.add_task("measurements", total=plan.total)

        def begin(environment: Environment) -> None:
            begun.append(environment)
            if out:
                write_record(out, environment)

        def each(measurement: Measurement) -> None:
            taken.append(measurement)
            bar.update(task, advance=1, description=f"{measurement.pattern}, {measurement.ranks} ranks")
            if out:
                write_record(out, measurement)

        run_plan(where, plan, begin, each)
    if not begun:
        raise RunError("the runs ended without a word; see what the launcher does with: mpiexec -n 2 hostname")
    return begun[0]


def _say(sentence: str, taken: list[Measurement], plan: Plan, output: Path | None) -> None:
    """What went wrong, and where the measurements are that were finished before."""
    kept = f" {len(taken)} of {plan.total} measurements were finished" if taken else ""
    kept += f" and are in {output}." if taken and output else "." if kept else ""
    typer.echo(f"mpico bench: {sentence}{chr(10) if kept else ''}{kept.strip()}", err=True)


def _report(results: Results, as_json: bool, csv_file: Path | None, figure: Path | None) -> None:
    if csv_file:
        write_csv(csv_file, results)
    if figure:
        from . import bench_figures  # matplotlib takes a second to load

        bench_figures.draw(results, figure)
    if as_json:
        measurements = [m.as_json() for m in results.measurements]
        typer.echo(json.dumps({"environment": results.environment.as_json(), "measurements": measurements}, indent=1))
        return
    console = Console()
    print_table(console if console.is_terminal else Console(width=WIDE), results)


def bench(
    ranks: Annotated[str | None, typer.Option(help="Numbers of ranks; default 2, on a machine 2,3,4.")] = None,
    sizes: Annotated[
        str | None, typer.Option(help=f"Bytes, and ranges that are doubled; default {SIZES}, on a board {BOARD_SIZES}.")
    ] = None,
    patterns: Annotated[str | None, typer.Option(help="Which, or all; default: those that the place offers.")] = None,
    pairs: Annotated[
        str | None, typer.Option(help="Of patterns between two ranks: all, from-0, or as in 0-1,0-2.")
    ] = None,
    machine: Annotated[str | None, typer.Option(help="On a simulated machine: a name or a file.")] = None,
    discipline: Annotated[str | None, typer.Option(help="Of a simulated ring: stop-and-wait or windowed.")] = None,
    fibers: Annotated[bool, typer.Option("--fibers", help="As fibers of one process.")] = False,
    board: Annotated[str | None, typer.Option(help="On a ring of emulated boards; compiles the program.")] = None,
    mpiexec: Annotated[
        Path | None, typer.Option(help="Another launcher; the mpicc beside it compiles the program.")
    ] = None,
    confidence: Annotated[float, typer.Option(help="Of the interval of each median.")] = 0.95,
    width: Annotated[float, typer.Option(help="An interval of this share of the median is narrow enough.")] = 0.02,
    budget_ms: Annotated[
        float | None,
        typer.Option(help=f"Of one measurement; default {BUDGET_MS:.0f}, on a board {BOARD_BUDGET_MS:.0f}."),
    ] = None,
    reps: Annotated[int, typer.Option(min=1, max=1000, help="Repetitions of a measurement, at most.")] = 1000,
    output: Annotated[Path | None, typer.Option(help="The results file, JSON lines; for mpico model.")] = None,
    csv_file: Annotated[Path | None, typer.Option("--csv", help="The same as a table.")] = None,
    figure: Annotated[Path | None, typer.Option(help="Times and bandwidths by size, PNG.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One object instead of a table.")] = False,
) -> None:
    """Measure messages and collectives: medians with confidence intervals, bandwidth by the ring paper's Eqs. 1 and 2.

    As processes here; with --machine on a simulated machine, with --fibers, with --board on emulated boards, with --mpiexec under
    another MPI. Each measurement is repeated until the interval of its median is narrow or its budget ends; outliers are counted
    and kept. Exit status 2 when a run fails: what was finished before is in the file.
    """
    where = Where(machine, fibers, board, mpiexec, discipline)
    taken: list[Measurement] = []
    plan = Plan((), (), (), pairs, ())
    try:
        if sum((machine is not None, fibers, board is not None)) > 1:
            raise WishError("--machine, --fibers and --board exclude each other")
        if discipline and not machine:
            raise WishError("--discipline is of a simulated ring: name it with --machine, as in --machine sharc-ring")
        if not 0 < confidence < 1 or not 0 < width < 1:
            raise WishError("--confidence and --width are between 0 and 1")
        budget = budget_ms or (BOARD_BUDGET_MS if board else BUDGET_MS)
        limits = (f"{confidence:.6f}", f"{width:.6f}", f"{budget:g}", str(reps))
        words = zip(("--confidence", "--width", "--budget-ms", "--reps"), limits, strict=True)
        numbers = ranks_of(ranks or ("2,3,4" if machine else "2"))
        plan = Plan(
            numbers,
            patterns_of(patterns) if patterns else default_patterns(where),
            sizes_of(sizes or (BOARD_SIZES if board else SIZES)),
            check_pairs(pairs, numbers) if pairs else None,
            (*(word for pair in words for word in pair), *(["--pin"] if where.place == "processes" else [])),
        )
        environment = measure(where, plan, output, taken)
        _report(Results(environment, tuple(taken)), as_json, csv_file, figure)
    except (WishError, PlaceError, DescriptionError, RunError) as error:
        _say(str(error), taken, plan, output)
        raise typer.Exit(CANNOT) from None
    except OSError as error:
        _say(f"cannot write {error.filename}: {error.strerror}", taken, plan, output)
        raise typer.Exit(CANNOT) from None
    except KeyboardInterrupt:
        _say("interrupted", taken, plan, output)
        raise typer.Exit(INTERRUPTED) from None
    if output:
        typer.echo(f"written: {output}", err=True)
