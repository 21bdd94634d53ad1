"""`mpico explain`: which algorithm the library chooses for a collective, what it and the others cost, and what they do.

The library itself says it: the same code that chooses in a program prices the steps here, by the same parameter file.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from .machine import DescriptionError, describe
from .places import PlaceError, machine_file, program

CANNOT = 2

Told = dict[str, Any]


class ExplainError(Exception):
    """The library cannot answer; the text is its sentence."""


def _objects(text: str) -> Iterator[Told]:
    """The JSON objects that stand behind each other in `text`."""
    decoder, at = json.JSONDecoder(), 0
    while text[at:].strip():
        told, end = decoder.raw_decode(text[at:].lstrip())
        at = len(text) - len(text[at:].lstrip()) + end
        yield told


def ask_sizes(
    call: str,
    ranks: int,
    sizes: Sequence[int],
    model: Path | None,
    algorithm: str | None = None,
    wires: str | None = None,
    calls: int | None = None,
) -> list[Told]:
    """What the library says of calls of these `sizes` in bytes (of the whole vector; of one pair of ranks in gather, scatter, alltoall; of
    all parts together in allgather and reduce_scatter), one after the other.

    `wires` (as in "mesh:4x4", "torus:8", "ring:8", "crossbar:16") puts the ranks on a network: prices then count hops and links that are shared.
    `calls`: prices are of so many calls in a row, each; None: as many as the library looks at when it chooses.
    Keys: call, ranks, bytes, chosen (a name), by ("price", or "table" where one is too large to be priced), table (what is chosen where there is no
    model), candidates (a list of algorithm, us, steps or why_not) and, with `algorithm`, program (a list of rank, step, kind, peer, bytes, wait,
    after: src/model/price.h; begin_us and end_us, of one call by itself). Raises ExplainError, PlaceError.
    """
    launcher = program("bin/mpiexec", "build it first: make build")
    words = [str(program("lib/mpico/explain", "build it first: make build"))]
    words += ["--steps", algorithm] if algorithm else []
    words += ["--wires", wires] if wires else []
    words += ["--calls", str(calls)] if calls else []
    words += [call, str(ranks), *map(str, sizes)]
    options = ["--model", str(model)] if model else []
    clean = {name: value for name, value in os.environ.items() if name != "MPICO_LOGGP"}
    done = subprocess.run(
        [str(launcher), "-q", *options, "-n", "1", *words],
        capture_output=True,
        text=True,
        check=False,
        env=clean,
    )
    if done.returncode:
        raise ExplainError(done.stderr.strip() or f"the library ended with status {done.returncode}")
    return list(_objects(done.stdout))


def ask(
    call: str,
    ranks: int,
    size: int,
    model: Path | None,
    algorithm: str | None = None,
    wires: str | None = None,
    calls: int | None = None,
) -> Told:
    """The same of one size."""
    return ask_sizes(call, ranks, [size], model, algorithm, wires, calls)[0]


def wires_of(machine: str, ranks: int) -> str:
    """The network of a machine as `ask` takes it; of crossbars and LogGP networks only each node's two ports.

    Raises DescriptionError, PlaceError.
    """
    network = describe(machine_file(machine))["network"]
    if network["kind"] == "ring":
        return f"ring:{ranks}"
    if network["kind"] == "mesh":
        return f"{'torus' if network['torus'] else 'mesh'}:{'x'.join(map(str, network['extent']))}"
    return f"crossbar:{ranks}"


def _candidates(told: Told) -> Table:
    table = Table(title=f"{told['call']} of {told['bytes']} bytes on {told['ranks']} ranks")
    table.add_column("algorithm")
    for name in ("microseconds", "of the chosen", "steps of all ranks"):
        table.add_column(name, justify="right")
    priced = {c["algorithm"]: c["us"] for c in told["candidates"] if c["us"] is not None}
    for c in sorted(told["candidates"], key=lambda c: (c["us"] is None, c["us"] or 0)):
        if c["us"] is None:
            table.add_row(c["algorithm"], "-", "-", c["why_not"])
            continue
        mark = "[bold]" if c["algorithm"] == told["chosen"] else ""
        share = f"{c['us'] / priced[told['chosen']]:.2f}" if told["chosen"] in priced else "-"
        table.add_row(f"{mark}{c['algorithm']}", f"{mark}{c['us']:.2f}", f"{mark}{share}", str(c["steps"]))
    return table


def _what(step: Told) -> str:
    peer = "all" if step["peer"] < 0 else str(step["peer"])
    ways = {"send": f"send to {peer}", "recv": f"receive from {peer}"}
    return f"{ways.get(step['kind'], step['kind'])}, {step['bytes']} bytes"


def program_table(told: Told) -> Table:
    """The steps of an answer with a program, and when each begins and ends."""
    table = Table(title=f"The steps of {told['algorithm']}, in one call by itself")
    for name in ("rank", "step"):
        table.add_column(name, justify="right")
    table.add_column("what")
    table.add_column("may begin")
    for name in ("from us", "to us"):
        table.add_column(name, justify="right")
    for step in told["program"]:
        begins = f"when steps before {step['wait']} are done" if step["wait"] else "at once"
        begins += f", after step {step['after']}" if step["after"] >= 0 else ""
        times = (f"{step[key]:.2f}" for key in ("begin_us", "end_us"))
        table.add_row(str(step["rank"]), str(step["step"]), _what(step), begins, *times)
    return table


def explain(
    call: Annotated[str, typer.Argument(help="A collective, as in allreduce.")],
    ranks: Annotated[int, typer.Option(min=2, max=128, help="Ranks of the communicator.")],
    size: Annotated[
        int,
        typer.Option(
            "--bytes",
            min=0,
            help="Of the whole vector; of one pair of ranks in gather, scatter and alltoall; of all parts in allgather and reduce_scatter.",
        ),
    ],
    model: Annotated[
        Path | None, typer.Option(help="A parameter file, instead of MPICO_MODEL or the shipped one.")
    ] = None,
    machine: Annotated[
        str | None, typer.Option(help="Price the ranks on this machine's network: hops, and links that are shared.")
    ] = None,
    calls: Annotated[
        int | None,
        typer.Option(
            min=1, max=100, help="Price so many calls in a row, each; default: 4, by which the library chooses."
        ),
    ] = None,
    steps: Annotated[str | None, typer.Option(help="Show what each rank does in this algorithm.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON instead of tables.")] = False,
) -> None:
    """Which algorithm the library chooses for a collective, and the price of each candidate.

    Prices are of the algorithms' own steps, carried out on paper with the parameters of the machine (LogGP; see docs/model.md): from a common
    start to the end of the last rank, for a call of several in a row, which overlap as they do in a program.
    """
    try:
        told = ask(call, ranks, size, model, steps, wires_of(machine, ranks) if machine else None, calls)
    except (ExplainError, PlaceError, DescriptionError) as error:
        typer.echo(f"mpico explain: {error}", err=True)
        raise typer.Exit(CANNOT) from None
    if as_json:
        typer.echo(json.dumps(told, indent=1))
        return
    console = Console()
    console.print(_candidates(told))
    if told["by"] == "table":
        console.print(
            f"chosen: {told['chosen']}, by a table of bounds, since not all of them can be priced", highlight=False
        )
    if steps:
        console.print(program_table(told))
