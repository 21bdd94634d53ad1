"""`mpico realtime granularity`: rows a message against the shortest period of a block and against latency."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from ..places import PlaceError
from ..progress import progress_bar
from .chain_runs import ChainError, Record, description, only, run
from .grid_runs import GridError, Where
from .picture_file import check_picture

MISSED, CANNOT = 1, 2


@dataclass(frozen=True)
class Grain:
    """One size of messages. Times in seconds."""

    rows: int
    messages: int
    """Of a block."""
    kept: bool
    period_s: float
    """The shortest that was always kept, for a whole block."""
    missed: int
    periods: int
    miss_bound: float
    latency_s: float
    """At that period, mean: from the block's period until the sink has all of it."""
    age_s: float
    """Of a block's first row, when the sink has all of the block: rows come evenly, and a message waits for its last."""
    wrong: int


def rows_of(text: str) -> tuple[int, ...]:
    """Rows of messages from "8,64,512", descending. Raises ChainError."""
    try:
        rows = tuple(sorted({int(word) for word in text.split(",")}, reverse=True))
    except ValueError:
        rows = ()
    if not rows or rows[-1] < 1:
        raise ChainError(f"--rows {text}: write numbers from 1, as in 8,64,512")
    return rows


def grain_of(record: Record) -> Grain:
    """From the record "chain" of a run with flow."""
    rows, period_s, latency_s = int(record["message_rows"]), float(record["period_s"]), float(record["latency_s"])
    messages = int(record["rows"]) // rows
    return Grain(
        rows=rows,
        messages=messages,
        kept=bool(record["kept"]),
        period_s=period_s,
        missed=int(record["missed"]),
        periods=int(record["periods"]),
        miss_bound=float(record["miss_bound"]),
        latency_s=latency_s,
        age_s=latency_s + period_s / messages,
        wrong=int(record["wrong"]),
    )


def study(
    where: Where, path: Path, rows: Sequence[int], options: Sequence[str]
) -> Iterator[tuple[Grain, list[dict[str, Any]]]]:
    """Each size of messages and the records of its run, under a progress bar. Raises PlaceError, ChainError."""
    with progress_bar() as bar:
        task = bar.add_task("message sizes", total=len(rows))
        for n in rows:
            bar.update(task, description=f"{n} rows a message")
            records = run(where, path, [*options, "--rows", str(n)])
            yield grain_of(only(records, "chain")), records
            bar.update(task, advance=1)


def _print(grains: Sequence[Grain], title: str) -> None:
    table = Table(title=title, title_justify="left")
    heads = ("rows", "messages", "period, ms", "missed, bound", "latency, ms", "oldest row, ms", "wrong")
    for head in heads:
        table.add_column(head, justify="right")
    for g in grains:
        period = f"{1e3 * g.period_s:.4g}" if g.kept else f"none to {1e3 * g.period_s:.4g}"
        missed = f"{g.missed} of {g.periods}, {100 * g.miss_bound:.2g} %"
        times = (period, missed, f"{1e3 * g.latency_s:.4g}", f"{1e3 * g.age_s:.4g}")
        table.add_row(str(g.rows), str(g.messages), *times, str(g.wrong))
    console = Console()
    (console if console.is_terminal else Console(width=120)).print(table)


def _say(sentence: object) -> None:
    typer.echo(f"mpico realtime granularity: {sentence}", err=True)


def _show(grains: Sequence[Grain], environment: Record, title: str, as_json: bool, figure: Path | None) -> None:
    if figure:
        from . import granularity_figures  # matplotlib takes a second to load

        try:
            granularity_figures.figure(grains, title).savefig(figure, dpi=150)
        except OSError as error:
            raise ChainError(f"cannot write {figure}: {error.strerror}") from None
    if as_json:
        typer.echo(json.dumps({"environment": dict(environment), "grains": [asdict(g) for g in grains]}, indent=1))
    else:
        _print(grains, title)


def granularity(
    chain: Annotated[str, typer.Argument(help="A shipped chain, or a description file.")] = "fft-ct--fft",
    rows: Annotated[str, typer.Option(help="Rows of a message.")] = "512,256,128,64,32,16,8",
    machine: Annotated[str | None, typer.Option(help="A simulated machine, as of mpiexec --machine.")] = None,
    fibers: Annotated[bool, typer.Option(help="Ranks as fibers of one process.")] = False,
    mpiexec: Annotated[Path | None, typer.Option(help="Another launcher, with options.")] = None,
    program: Annotated[Path | None, typer.Option(help="Another build of the program realtime.")] = None,
    seconds: Annotated[float, typer.Option(help="Of the run that proves a period.")] = 4.0,
    width: Annotated[float, typer.Option(help="Of a period found, relative.")] = 0.01,
    overlap_sends: Annotated[bool, typer.Option(help="Send a block while the next is computed.")] = False,
    figure: Annotated[Path | None, typer.Option(help="Draw the picture into this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Shortest period and latency of a chain by the rows of its messages. docs/test-bench.md."""
    where = Where(machine, fibers, mpiexec, program)
    options = ["--seconds", str(seconds), "--width", str(width), *(["--overlap-sends"] if overlap_sends else [])]
    try:
        check_picture(figure)
        found = list(study(where, description(chain), rows_of(rows), options))
        grains = [grain for grain, _ in found]
        title = f"{only(found[0][1], 'chain')['nodes']} on {where.name}"
        _show(grains, only(found[0][1], "environment"), title, as_json, figure)
    except (ChainError, GridError, PlaceError, ValueError) as error:
        _say(error)
        raise typer.Exit(CANNOT) from None
    if not all(grain.kept and grain.wrong == 0 for grain in grains):
        raise typer.Exit(MISSED)
