"""`mpico realtime scaling`: the doubled mapping: twice the columns on lines of twice the ranks, stage by stage."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from ..places import PlaceError
from ..progress import progress_bar
from .grid_runs import Grid, GridError, GridRun, Where, run
from .picture_file import check_picture

CANNOT, MISSED = 2, 1
WIDE = 150


def lines_of(text: str) -> tuple[int, ...]:
    """Lengths of lines from "1,2,4", ascending. Raises GridError."""
    try:
        lines = tuple(sorted({int(word) for word in text.split(",")}))
    except ValueError:
        lines = ()
    if not lines or lines[0] < 1:
        raise GridError(f"--lines {text}: write numbers from 1, as in 1,2,4")
    return lines


def mappings(lines: Sequence[int], rows: int, columns_each: int, stages: int, chain: str, turn: str) -> list[Grid]:
    """A grid for each length of line: `columns_each` columns at each place of the first stage, `rows` rows in all."""
    return [Grid(length, rows, columns_each * length, stages, chain, turn) for length in lines]


def measure(where: Where, grids: Sequence[Grid], options: Sequence[str]) -> Iterator[GridRun]:
    """The runs, one after the other, under a progress bar. Raises PlaceError, GridError."""
    with progress_bar() as bar:
        task = bar.add_task("grids", total=len(grids))
        for grid in grids:
            bar.update(task, description=f"{grid.ranks} ranks")
            yield run(where, grid, options)
            bar.update(task, advance=1)


def growth(runs: Sequence[GridRun]) -> list[float | None]:
    """Each period over that of the run before; 1 is a mapping that scales."""
    return [None, *(b.period_s / a.period_s for a, b in pairwise(runs))]


def _row(one: GridRun, grown: float | None) -> list[str]:
    alone = [f"{1e3 * s.alone_period_s:.4g}" if s.alone_period_s else "-" for s in one.stages if s.name != "sink"]
    limit, over = one.limit, one.over_limit
    period = f"{1e3 * one.period_s:.4g}" if one.kept else f"none to {1e3 * one.period_s:.4g}"
    return [
        str(one.grid.lines),
        str(one.grid.ranks),
        f"{one.grid.rows} x {one.grid.columns}",
        *alone,
        period,
        f"{grown:.3f}" if grown else "",
        f"{limit.name}, {over:.2f}" if limit and over else "-",
        f"{1e3 * one.latency_worst_s:.4g}",
        f"{one.mflops:.0f}" if one.kept else "-",
        f"{one.missed} of {one.periods}, {100 * one.miss_bound:.2g} %",
        str(one.results_wrong),
    ]


def print_table(console: Console, runs: Sequence[GridRun], where: Where) -> None:
    """A row a grid; periods in milliseconds."""
    table = Table(title=f"The doubled mapping on {where.name}", title_justify="left")
    names = [stage.name for stage in runs[0].stages if stage.name != "sink"]
    heads = [
        "line",
        "ranks",
        "matrix",
        *(f"{name} alone, ms" for name in names),
        "period, ms",
        "grown",
        "limit, over it",
    ]
    for head in [*heads, "latency, ms", "MFLOPS", "missed, bound", "wrong"]:
        table.add_column(head, justify="right")
    for one, grown in zip(runs, growth(runs), strict=True):
        table.add_row(*_row(one, grown))
    console.print(table)


def crowd_note(where: Where, grids: Sequence[Grid]) -> str | None:
    """A sentence when ranks of this machine have to share its processors."""
    most, processors = max(grid.ranks for grid in grids), os.cpu_count() or 1
    if where.machine or where.fibers or most <= processors:
        return None
    return f"{most} ranks share {processors} processors: long periods show the system's time slices, not the mapping"


def say(command: str, sentence: object) -> None:
    """What went wrong, on standard error."""
    typer.echo(f"mpico realtime {command}: {sentence}", err=True)


def _show(runs: Sequence[GridRun], where: Where, as_json: bool, figure: Path | None) -> None:
    if figure:
        from . import grid_figures  # matplotlib takes a second to load

        grid_figures.draw(runs, where.name, figure)
    if as_json:
        found = [{**one.as_json(), "grown": grown} for one, grown in zip(runs, growth(runs), strict=True)]
        typer.echo(json.dumps({"environment": dict(runs[0].environment), "runs": found}, indent=1))
        return
    console = Console()
    print_table(console if console.is_terminal else Console(width=WIDE), runs, where)


def scaling(
    lines: Annotated[str, typer.Option(help="Lengths of the line.")] = "1,2,4",
    rows: Annotated[int, typer.Option(help="Rows of each matrix, a power of two.")] = 256,
    columns_each: Annotated[int, typer.Option(help="Columns at each place of the first stage.")] = 64,
    stages: Annotated[int, typer.Option(help="3, or 2: the corner turn between the two others.")] = 3,
    chain: Annotated[str, typer.Option(help="fft2d or sar.")] = "fft2d",
    turn: Annotated[str, typer.Option(help="Exchange of the corner turn: alltoall or paired.")] = "alltoall",
    machine: Annotated[str | None, typer.Option(help="A simulated machine, as of mpiexec --machine.")] = None,
    fibers: Annotated[bool, typer.Option(help="Ranks as fibers of one process.")] = False,
    mpiexec: Annotated[Path | None, typer.Option(help="Another launcher, with options.")] = None,
    program: Annotated[Path | None, typer.Option(help="Another build of the program realtime.")] = None,
    duration: Annotated[float, typer.Option(help="Of the run that proves a period, seconds.")] = 2.0,
    width: Annotated[float, typer.Option(help="Of a period found, relative.")] = 0.01,
    figure: Annotated[Path | None, typer.Option(help="Draw the picture into this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Shortest period, latency and throughput as columns and ranks of the line double. docs/scalable-mapping.md."""
    where = Where(machine, fibers, mpiexec, program)
    try:
        check_picture(figure)
        grids = mappings(lines_of(lines), rows, columns_each, stages, chain, turn)
        note = crowd_note(where, grids)
        if note:
            say("scaling", note)
        runs = list(measure(where, grids, ["--alone", "--duration", str(duration), "--width", str(width)]))
        _show(runs, where, as_json, figure)
    except (GridError, PlaceError, ValueError) as error:
        say("scaling", error)
        raise typer.Exit(CANNOT) from None
    except OSError as error:
        say("scaling", f"cannot write {figure}: {error.strerror}")
        raise typer.Exit(CANNOT) from None
    if not all(one.kept and one.results_wrong == 0 for one in runs):
        raise typer.Exit(MISSED)
