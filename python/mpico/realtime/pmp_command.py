"""`mpico pmp`: programs of message patterns for `realtime pmp`: made, checked, and their contention counted. docs/pmp.md."""

from __future__ import annotations

import json
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from ..places import PlaceError, program
from ..progress import progress_bar
from .contention import CONSTRUCTIONS, Contention, corner_turn, summary
from .corner_turn import message_bytes
from .patterns import abbreviated, in_full
from .picture_file import check_picture

CANNOT = 2
WIDE = 110
"""Columns where the output is no terminal."""
NODES_MOST = {"recursive": 1024, "balanced": 256}
BYTES_MOST = (1 << 31) - 1
PROGRAM = "lib/mpico/bench/realtime"

app = typer.Typer(help="Patterns of messages: corner turns, checks and contention.", no_args_is_help=True)


def _refuse(command: str, sentence: object) -> typer.Exit:
    typer.echo(f"mpico pmp {command}: {sentence}", err=True)
    return typer.Exit(CANNOT)


def _check_size(construction: str, n: int) -> None:
    most = NODES_MOST.get(construction)
    if most and n > most:
        raise ValueError(f"{n} nodes are too many for the {construction} construction; ask for at most {most}")


@app.command("corner-turn")
def print_corner_turn(
    nodes: Annotated[int, typer.Argument(help="Nodes on the line.")],
    construction: Annotated[str, typer.Option(help=" or ".join(CONSTRUCTIONS) + ".")] = "recursive",
    size: Annotated[int | None, typer.Option("--bytes", help="Of a message; else 1 MB by the nodes.")] = None,
    long: Annotated[bool, typer.Option("--pmp", help="Long form, with the size in every send.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The stages as JSON.")] = False,
) -> None:
    """Print a corner turn on a line as a program for `realtime pmp`; 8 nodes give Figure 6.4 of RL-TR-95-103."""
    try:
        _check_size(construction, nodes)
        if size is not None and not 0 <= size <= BYTES_MOST:
            raise ValueError(f"a message has 0 to {BYTES_MOST} bytes, not {size}")
        with progress_bar() as bar:
            bar.add_task("constructing", total=None)
            stages = corner_turn(construction, nodes)
    except ValueError as error:
        raise _refuse("corner-turn", error) from None
    each = message_bytes(nodes) if size is None else size
    if as_json:
        typer.echo(json.dumps({"nodes": nodes, "construction": construction, "bytes": each, "stages": stages}))
        return
    typer.echo((in_full if long else abbreviated)(stages, nodes, each), nl=False)


def _checked(file: Path, size: int | None, exact: bool) -> dict[str, Any]:
    """What `realtime pmp --check` says of a file. Raises PlaceError, ValueError with its complaint."""
    found = program(PROGRAM, "build the target bench_realtime")
    given = [] if size is None else ["--bytes", str(size)]
    given += ["--exact"] if exact else []
    run = subprocess.run([found, "pmp", str(file), "--check", *given], capture_output=True, text=True, timeout=120)
    if run.returncode or not run.stdout:
        raise ValueError(run.stderr.strip().removeprefix("realtime pmp: ") or f"{found} ended with {run.returncode}")
    if run.stderr.strip():
        typer.echo(run.stderr.rstrip().replace("realtime pmp: ", "mpico pmp check: "), err=True)
    record: dict[str, Any] = json.loads(run.stdout)
    return {**record, "receives": "exact" if exact else "any"}


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


@app.command("check")
def check(
    file: Annotated[Path, typer.Argument(help="A program of patterns.")],
    size: Annotated[int | None, typer.Option("--bytes", help="Of sends that give no size.")] = None,
    exact: Annotated[bool, typer.Option(help="Each receive names its sender, as realtime pmp --exact.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a sentence.")] = False,
) -> None:
    """Read a program and execute it in the abstract: syntax, destinations, sends against receives, deadlocks."""
    try:
        found = _checked(file, size, exact)
    except (PlaceError, ValueError) as error:
        raise _refuse("check", error) from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _refuse("check", f"realtime pmp did not end well: {error}") from None
    if as_json:
        typer.echo(json.dumps(found))
        return
    has = [_counted(found[f"{what}s"], what) for what in ("node", "message", "stage")]
    deadlocks = "it cannot deadlock" if exact else "no deadlock in the orders tried; --exact rules out all"
    typer.echo(
        f"{file}: {has[0]}, {has[1]} in {has[2]}, at most {found['bytes']:.0f} bytes sent by a node; {deadlocks}"
    )


def _rows(nodes: list[int]) -> list[Contention]:
    """Of every construction that allows so many nodes. Raises ValueError where none does."""
    rows = []
    with progress_bar() as bar:
        task = bar.add_task("constructions", total=len(nodes) * len(CONSTRUCTIONS))
        for n in nodes:
            for name in CONSTRUCTIONS:
                if name == "balanced" or (n >= 2 and n & (n - 1) == 0):
                    _check_size(name, n)
                    rows.append(summary(name, n))
                bar.advance(task)
    return rows


def print_rows(console: Console, rows: list[Contention]) -> None:
    """A row a construction and number of nodes."""
    table = Table(title="Messages over a link in one direction in a stage", title_justify="left")
    heads = ["nodes", "construction", "stages", "worst link", "middle link", "lower bound", "sum of worst", "at least"]
    for head in heads:
        table.add_column(head, justify="left" if head == "construction" else "right")
    for r in rows:
        numbers = (r.stages, r.worst, r.middle, r.bound, r.sum_of_worst, r.least_sum)
        table.add_row(str(r.nodes), r.construction, *(str(number) for number in numbers))
    console.print(table)


@app.command("contention")
def contention(
    nodes: Annotated[list[int], typer.Argument(help="Lengths of the line, even.")],
    figure: Annotated[Path | None, typer.Option(help="Draw the growth into this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Contention for the links of both constructions, against the least possible on the middle link."""
    try:
        check_picture(figure)
        rows = _rows(nodes)
        if figure:
            from . import pmp_figures  # matplotlib takes a second to load

            pmp_figures.draw(rows, figure)
    except OSError as error:
        raise _refuse("contention", f"cannot write {figure}: {error.strerror}") from None
    except ValueError as error:
        raise _refuse("contention", error) from None
    if as_json:
        typer.echo(json.dumps([asdict(row) for row in rows], indent=1))
        return
    console = Console()
    print_rows(console if console.is_terminal else Console(width=WIDE), rows)
