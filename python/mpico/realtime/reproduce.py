"""`mpico reproduce realtime`: the report's tables, taken again on the simulated Paragon."""

from __future__ import annotations

import json
import os
from functools import partial
from itertools import groupby, pairwise
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from ..places import PlaceError
from ..progress import progress_bar
from ..ring_runs import run_all
from .paragon import Record, Run, RunError, base_text, carry_out
from .paragon_runs import BLOCKING, CHAINS, OVERLAPPED, cells, chain_runs, hidden, pairs_runs, pmp_runs
from .paragon_tables import CORNER_TURN, HIDDEN_TARGET, SYMMETRIC, Cell

WIDE = 160
Shares = dict[str, tuple[float, float]]
"""By chain: of its communication hidden, with blocking and with overlapped sends."""
OUT_OF_TARGET, CANNOT_RUN = 1, 2


def _run(quick: bool, workers: int) -> dict[str, list[Record]]:
    """Records by the names of runs, with a progress bar on standard error. Raises PlaceError, RunError."""
    text = base_text()
    runs = [*pmp_runs(text, quick)[::-1], *chain_runs(quick), *pairs_runs(quick)]  # slow ones first
    with progress_bar() as progress:
        task = progress.add_task("runs", total=len(runs))
        done = partial(progress.advance, task)
        found = run_all([_Named(run) for run in runs], lambda named: carry_out(named.run, text), workers, done)
    return {named.run.name: records for named, records in found.items()}


class _Named:
    """A run as a key: it holds texts and mappings, which are none."""

    def __init__(self, run: Run) -> None:
        self.run = run


def _other(cell: Cell) -> tuple[str, str]:
    if cell.otherwise is None:
        return "", ""
    error = cell.other_error_percent
    return f"{cell.otherwise:.4g} {cell.other}", "" if error is None else f"{error:+.1f} %"


def _mark(cell: Cell) -> str:
    if cell.error_percent is None:
        return ""
    text = f"{cell.error_percent:+.1f} %"
    return text if cell.good else f"[red]{text}[/red]"


def _print_table(console: Console, title: str, found: list[Cell]) -> None:
    table = Table(title=title)
    for name in ("row", "column"):
        table.add_column(name)
    for name in ("published", "simulated", "error", "target"):
        table.add_column(name, justify="right")
    table.add_column("use")
    has_other = any(c.other for c in found)
    for name in ("other", "its error") if has_other else ():
        table.add_column(name, justify="right")
    for c in found:
        target = "" if c.target_percent is None else f"{c.target_percent:g} %"
        words = [c.row, f"{c.column} ({c.unit})", f"{c.published:.4g}", f"{c.simulated:.4g}", _mark(c), target, c.use]
        table.add_row(*words, *(_other(c) if has_other else ()))
    console.print(table)


def _hiding(hides: Shares) -> list[tuple[str, bool]]:
    """A sentence a chain. The target is that of FFT+CT with overlapped sends."""
    return [
        (
            f"{row} hides {100 * overlapped:.1f} % of its communication with overlapped sends, {100 * blocking:.1f} % with blocking ones",
            row != "FFT+CT" or overlapped >= HIDDEN_TARGET,
        )
        for row, (blocking, overlapped) in hides.items()
    ]


def claims(found: list[Cell], hides: Shares) -> list[tuple[str, bool]]:
    """What must show besides the cells: a sentence each, and whether it holds."""
    period = [c.simulated for c in found if c.table == "Table 6.1" and c.column == "Period"]
    factors = [b / a for a, b in pairwise(period)]
    text = ", ".join(f"{factor:.2f}" for factor in factors)
    rates = [c.simulated for c in found if c.table == "Table 4.5"][1 : len(SYMMETRIC)]
    doubling = [b / a for a, b in pairwise(rates)]
    steps = ", ".join(f"{factor:.2f}" for factor in doubling)
    return [
        (
            f"Table 6.1: when nodes double, the period grows by {text}: less than double",
            all(f < 2 for f in factors[1:]),
        ),
        (
            f"Table 4.5: from pair 1-14 inwards rates grow by {steps}: about double",
            all(1.4 < f < 2.4 for f in doubling),
        ),
        *_hiding(hides),
    ]


def _report(found: list[Cell], sentences: list[tuple[str, bool]], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps([cell.as_json() for cell in found], indent=1))
        return
    console = Console()
    console = console if console.is_terminal else Console(width=WIDE)
    for title, group in groupby(found, key=lambda cell: cell.table):
        _print_table(console, title, list(group))
    for sentence, _good in sentences:
        console.print(sentence, highlight=False)
    console.print("Unsent: of messages times processors; of all messages it is twice as much.", highlight=False)


def realtime(
    as_json: Annotated[bool, typer.Option("--json", help="A list of objects, one a cell, instead of tables.")] = False,
    figures: Annotated[
        Path | None, typer.Option(help="Draw the rates of pairs and the periods of the corner turn into this folder.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Shorter runs; no corner turn on 16 nodes.")] = False,
    jobs: Annotated[int, typer.Option(min=1, help="Simulations at a time; default: the processors.")] = (
        os.cpu_count() or 1
    ),
) -> None:
    """The report on real-time benchmarks (RL-TR-95-103), on the simulated Paragon.

    Prints for each cell of Tables 4.2 to 4.6, 4.8, 4.9, 5.1, 5.2 and 6.1 what was published and what the simulation measures.
    Tables 4.2 and 4.3 have calibrated it, and the first row of Table 4.8 what buffers off the page cost. Beside Tables 4.8, 4.9 and 6.1
    stands what aligned buffers take, beside 5.1 and 5.2 the other way of sending.

    Exit status 1 when a cell is out of its target (Table 4.5: 15 %, its sum and Table 4.4's saturation 5 %; Table 6.1: 20 %) or
    less than 90 % of the communication of FFT+CT is hidden, 2 when a run fails.
    """
    try:
        if figures:
            figures.mkdir(parents=True, exist_ok=True)
        records = _run(quick, jobs)
        found = cells(records)
        hides = {row: (hidden(records, row, BLOCKING), hidden(records, row, OVERLAPPED)) for row in CHAINS}
    except (PlaceError, RunError, OSError) as error:
        typer.echo(f"mpico reproduce: {error}", err=True)
        raise typer.Exit(CANNOT_RUN) from None
    sentences = claims(found, hides)
    _report(found, sentences, as_json)
    if figures:
        from . import reproduce_figures  # matplotlib takes a second to load

        for path in reproduce_figures.draw(found, figures):
            typer.echo(f"drawn: {path}", err=True)
    bad = [f"{c.table}, {c.row}, {c.column}: {_plain(c)}" for c in found if not c.good]
    bad += [sentence for sentence, good in sentences if not good]
    for sentence in bad:
        typer.echo(f"out of target: {sentence}", err=True)
    if bad:
        raise typer.Exit(OUT_OF_TARGET)


def _plain(cell: Cell) -> str:
    return f"{cell.error_percent:+.1f} %, target {cell.target_percent:g} %"


def corner_nodes(found: list[Cell]) -> list[int]:
    """The lines of Table 6.1 that were simulated."""
    rows = {c.row for c in found if c.table == "Table 6.1"}
    return [n for n in CORNER_TURN if f"n = {n}" in rows]
