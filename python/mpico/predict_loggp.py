"""`mpico model predict` with LogGP parameters: one message, or a collective by the schedule that the library chooses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from .explain import program_table
from .loggp import message_parts, message_us
from .parameter_types import LogGP, Parameters
from .schedules import Priced, Question, chooser_of, machine_of, price, unknown
from .sweeps import SweepError, whole

MESSAGE = "message"
NODES_MOST = 128
"""As many ranks as the library prices."""


def _table(title: str, rows: Sequence[dict[str, Any]], heads: Sequence[str]) -> Table:
    table = Table(title=title)
    for head in heads:
        table.add_column(head, justify="left" if head == "algorithm" else "right")
    for row in rows:
        table.add_row(*(f"{v:.2f}" if isinstance(v := row[head], float) else str(v) for head in heads))
    return table


def _tell_message(model: LogGP, sizes: Sequence[int], title: str, as_json: bool) -> None:
    rows: list[dict[str, Any]] = [
        {"function": MESSAGE, "bytes": size, "us": message_us(model, size)} | message_parts(model, size)
        for size in sizes
    ]
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
        return
    Console().print(_table(title, rows, ("bytes", "us", "sender_us", "way_us", "receiver_us")))


def _tell_calls(found: Sequence[Priced], title: str, as_json: bool) -> None:
    rows = [one.as_json() for one in found]
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
        return
    console = Console()
    console.print(_table(title, rows, ("nodes", "bytes", "algorithm", "us", "steps")))
    for one in found:
        if one.program:
            console.print(f"{one.nodes} nodes, {one.bytes} bytes:", highlight=False)
            console.print(program_table({"algorithm": one.algorithm, "program": one.program}))


def tell(
    parameters: Parameters,
    call: str,
    nodes: str,
    sizes: str,
    algorithm: str | None,
    machine: str | None,
    steps: bool,
    as_json: bool,
) -> None:
    """Print the predictions for every one of `nodes` and `sizes` (lists as sweeps.py reads them).

    Raises SweepError, ExplainError, PlaceError, DescriptionError, ParametersError.
    """
    assert isinstance(parameters.model, LogGP)
    where = machine or machine_of(parameters)
    title = f"{call}, LogGP of {parameters.machine} ({parameters.place})"
    if call == MESSAGE:
        if algorithm or steps or machine:
            raise SweepError("--algorithm, --machine and --steps are of a collective: leave them out for a message")
        _tell_message(parameters.model, whole(sizes, "bytes", 1), title, as_json)
        return
    counts = whole(nodes, "nodes", 2)
    if max(counts) > NODES_MOST:
        raise SweepError(f"--nodes: {max(counts)} is more than the {NODES_MOST} ranks that the library prices")
    wanted = [0] if call == "barrier" else whole(sizes, "bytes", 1)
    if lacks := unknown(parameters.model):
        typer.echo(f"mpico model predict: not known and taken as 0: {', '.join(lacks)}", err=True)
    found = []
    for count in counts:
        asked = Question(call, count, chooser_of(parameters), algorithm, where, steps)
        found += price(parameters, asked, wanted)
    _tell_calls(found, title, as_json)
