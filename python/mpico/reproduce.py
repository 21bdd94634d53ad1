"""`mpico reproduce`: published measurements, taken again on simulated machines and held against what was published."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from .machine import DescriptionError
from .places import PlaceError
from .progress import progress_bar
from .realtime.reproduce import realtime
from .reproduce_model import ring_model
from .ring_model import efficiency
from .ring_paper import CELLS, QUICK_SIZES, SIZES, Curve, Verdict, claims, judge
from .ring_runs import DISCIPLINES, Job, Place, RunError, measure, ring_place, run_all, track

app = typer.Typer(help="Published measurements, taken again on simulated machines.", no_args_is_help=True)

MACHINE = "sharc-ring"
STEPS, QUICK_STEPS = 20000, 2000
NODES, QUICK_NODES = tuple(range(1, 9)), (1, 2, 4, 8)
WIDE = 140
OUT_OF_TARGET, CANNOT_RUN = 1, 2

Curves = dict[str, dict[tuple[str, int], Curve]]
Times = dict[str, dict[int, float]]


app.command("ring-model")(ring_model)
app.command("realtime")(realtime)


@app.callback()
def _group() -> None:
    """Published measurements, taken again on simulated machines."""


def _place(machine: str, mpiexec: Path | None, figures: Path | None) -> Place:
    """Launcher, programs and machine; what would only show when the runs have ended is noticed here. Raises PlaceError."""
    mft = ("bin/mft", "Figure 9 needs it: call bin/mpico of a build tree after `make extras`, or leave out --figures")
    return ring_place(machine, mpiexec, figures, [mft] if figures else [])


def _table_jobs() -> list[Job]:
    """The runs that the tables and Figure 8 need, slow ones first."""
    wanted = sorted({(cell.function, cell.nodes) for cell in CELLS} | {("multi-unicast", 4)}, key=lambda w: -w[1])
    return [Job(function, discipline, nodes) for function, nodes in wanted for discipline in DISCIPLINES]


def _track_jobs(quick: bool) -> list[Job]:
    nodes = QUICK_NODES if quick else NODES
    return [Job("mft", discipline, n) for n in reversed(nodes) for discipline in DISCIPLINES]


def _by_discipline(curve: dict[Job, Curve]) -> Curves:
    curves: Curves = {discipline: {} for discipline in DISCIPLINES}
    for job, one in curve.items():
        curves[job.discipline][job.function, job.nodes] = one
    return curves


def _run(place: Place, quick: bool, tracking: bool, workers: int) -> tuple[Curves, Times]:
    """All runs, with a progress bar on standard error. Raises RunError."""
    sizes, steps = (QUICK_SIZES, QUICK_STEPS) if quick else (SIZES, STEPS)
    tables, tracks = _table_jobs(), _track_jobs(quick) if tracking else []
    with progress_bar() as progress:
        task = progress.add_task("runs", total=len(tables) + len(tracks))
        done: Callable[[], None] = partial(progress.advance, task)
        curves = run_all(tables, lambda job: measure(place, job, sizes), workers, done)
        time_of = run_all(tracks, lambda job: track(place, job, steps), workers, done)
    times: Times = {discipline: {} for discipline in DISCIPLINES}
    for job, seconds in time_of.items():
        times[job.discipline][job.nodes] = seconds
    return _by_discipline(curves), times


def _print_verdicts(console: Console, verdicts: list[Verdict]) -> None:
    table = Table(title="The ring paper's Tables 3 to 5, rows of the SHARC ring")
    for name in ("table", "row", "column"):
        table.add_column(name)
    for name in ("published", "model", "simulated", "error", "target", "ours"):
        table.add_column(name, justify="right")
    for v in verdicts:
        cell, unit = v.cell, "MB/s" if v.cell.is_bandwidth else "us"
        error = f"{v.error_percent:+.1f} %"
        table.add_row(
            cell.table,
            cell.row,
            f"{cell.column} ({unit})",
            f"{cell.published:.2f}{'*' if cell.doubted else ''}",
            f"{v.model:.2f}",
            f"{v.simulated:.2f}",
            error if v.good else f"[red]{error}[/red]",
            f"{cell.target_percent:g} %",
            f"{v.ours:.2f}",
        )
    console.print(table)
    console.print(
        "* contradicts the paper's own model, and also stands in SCI's row: judged by the model.", highlight=False
    )
    console.print(
        "simulated: the paper's protocol, stop-and-wait; ours: windowed, on the same machine.", highlight=False
    )


def _print_claims(console: Console, curves: Curves) -> None:
    for names, sentences in zip(("simulated", "ours"), (claims(curves[d]) for d in DISCIPLINES), strict=True):
        for sentence in sentences:
            console.print(f"{names}: {sentence}", highlight=False)


def _print_efficiency(console: Console, times: Times) -> None:
    table = Table(title="Figure 9: parallel efficiency of mft")
    for name in ("nodes", "simulated", "ours"):
        table.add_column(name, justify="right")
    for nodes in sorted(times[DISCIPLINES[0]]):
        values = (efficiency(times[d][1], times[d][nodes], nodes) for d in DISCIPLINES)
        table.add_row(str(nodes), *(f"{100 * value:.1f} %" for value in values))
    console.print(table)


def _draw(curves: Curves, times: Times, quick: bool, folder: Path) -> list[Path]:
    """The figures as PNG files in `folder`."""
    from . import ring_figures  # matplotlib takes a second to load

    return [
        ring_figures.broadcast_by_size(curves, folder),
        ring_figures.broadcast_or_unicasts(curves, folder),
        ring_figures.parallel_efficiency(times, QUICK_STEPS if quick else STEPS, folder),
    ]


def _report(curves: Curves, times: Times, verdicts: list[Verdict], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps([verdict.as_json() for verdict in verdicts], indent=1))
        return
    console = Console()
    console = console if console.is_terminal else Console(width=WIDE)
    _print_verdicts(console, verdicts)
    _print_claims(console, curves)
    if times[DISCIPLINES[0]]:
        _print_efficiency(console, times)


@app.command("ring-paper")
def ring_paper(
    as_json: Annotated[bool, typer.Option("--json", help="A list of objects, one a cell, instead of tables.")] = False,
    figures: Annotated[
        Path | None, typer.Option(help="Also run what Figures 8a, 8b and 9 need, and draw them into this folder.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer message sizes; fewer steps and nodes of mft.")] = False,
    machine: Annotated[str, typer.Option(help="The machine: a name or a file, with a ring.")] = MACHINE,
    mpiexec: Annotated[Path | None, typer.Option(help="The launcher, instead of the one beside this command.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Simulations at a time; default: the processors.")] = (
        os.cpu_count() or 1
    ),
) -> None:
    """The communication service of the ring paper, on the simulated ring of 40 MHz processors.

    Runs bench/ring's programs with the paper's protocol and with ours, and prints for each cell of Tables 3, 4 and 5 what was
    published, what the paper's model gives, and what the simulation measures.

    Exit status 1 when a cell is out of its target (Tables 4 and 5: 5 %; Table 3: latency 10 %, bandwidth 18 %), 2 when a
    run fails.
    """
    try:
        curves, times = _run(_place(machine, mpiexec, figures), quick, figures is not None, jobs)
    except (PlaceError, DescriptionError, RunError) as error:
        typer.echo(f"mpico reproduce: {error}", err=True)
        raise typer.Exit(CANNOT_RUN) from None
    verdicts = judge(*(curves[discipline] for discipline in DISCIPLINES))
    _report(curves, times, verdicts, as_json)
    for path in _draw(curves, times, quick, figures) if figures else []:
        typer.echo(f"drawn: {path}", err=True)
    bad = [verdict for verdict in verdicts if not verdict.good]
    for v in bad:
        typer.echo(
            f"out of target: {v.cell.table}, {v.cell.row}, {v.cell.column}: {v.error_percent:+.1f} %, "
            f"target {v.cell.target_percent:g} %",
            err=True,
        )
    if bad:
        raise typer.Exit(OUT_OF_TARGET)
