"""`mpico model predict`: the ring service's Eqs. 5 to 11 for nodes, message sizes, clock and link rate; schedules' prices by LogGP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from . import predict_loggp
from .explain import ExplainError
from .machine import DescriptionError
from .parameters import LogGP, Parameters, ParametersError, RingService, read_parameters
from .places import PlaceError
from .ring_model import (
    FUNCTIONS,
    PAPER,
    Function,
    alltoall_bandwidth,
    broadcast_bandwidth,
    unicast,
)
from .ring_systems import SHARC, System, scale, shares
from .sweeps import SweepError, whole

CANNOT = 2
LEAST_BYTES = 4
EQUATION = {"unicast": "7", "unicast-mean": "7", "bcast": "10", "allgather": "11", "allgather-in-place": "11"}

Row = dict[str, float | int | str]

Nodes = Annotated[str, typer.Option(help="Nodes of the ring: 8, or 2,4,8, or 2:16:1.")]
Sizes = Annotated[str, typer.Option("--bytes", help="Message sizes: 128, or 4,2048, or 4:16384:x2.")]
Params = Annotated[
    Path | None, typer.Option("--params", help="A parameter file of the kind ring-service; default: the paper's.")
]
MeasuredClock = Annotated[float, typer.Option(min=1e-3, help="MHz at which the parameters were measured.")]
MeasuredLink = Annotated[float, typer.Option(min=1e-3, help="MB/s at which the parameters were measured.")]


def service_of(path: Path | None) -> RingService:
    """The ring service's parameters in `path`, or the paper's. Raises ParametersError."""
    if path is None:
        return PAPER
    model = read_parameters(path).model
    if not isinstance(model, RingService):
        raise ParametersError(
            f"{path} is of the kind loggp: the ring paper's equations need one of the kind ring-service; what collectives cost by this one: "
            f"mpico model predict {path} bcast"
        )
    return model


def known(function: str) -> str:
    """The name of a function of the model. Raises SweepError."""
    if function not in FUNCTIONS:
        raise SweepError(f"there is no function '{function}'; there are: {', '.join(FUNCTIONS)}")
    return function


def bandwidth(function: str, size: float, nodes: float, us: float) -> float:
    """MB/s that the paper would state: Eq. 1 for a broadcast, Eq. 2 for allgathers, bytes over time for a unicast."""
    if function.startswith("unicast"):
        return size / us
    return (broadcast_bandwidth if function == "bcast" else alltoall_bandwidth)(size, nodes, us)


def _function(name: str, hops: int | None) -> Function:
    if hops is None:
        return FUNCTIONS[name]
    if name != "unicast":
        raise SweepError(f"--hops is of a unicast: leave it out for {name}")
    return lambda size, nodes, service: unicast(size, hops, nodes, service)


def row(name: str, function: Function, size: int, nodes: int, service: RingService) -> Row:
    """One prediction: times in microseconds, bandwidth in MB/s."""
    clock_us, link_us = shares(function, size, nodes, service)
    us = clock_us + link_us
    told: Row = {"function": name, "equation": EQUATION[name], "nodes": nodes, "bytes": size, "us": us}
    return told | {"clock_us": clock_us, "link_us": link_us, "mb_s": bandwidth(name, size, nodes, us)}


def print_rows(rows: list[Row], title: str, heads: dict[str, str]) -> None:
    """A table with the columns of `heads`: heading by key."""
    table = Table(title=title)
    for head in heads.values():
        table.add_column(head, justify="left" if head in ("function", "system") else "right")
    for one in rows:
        table.add_row(*(f"{v:.2f}" if isinstance(v := one[key], float) else str(v) for key in heads))
    Console().print(table)


def _split(words: list[str]) -> tuple[Path | None, str]:
    if len(words) > 2:
        raise SweepError("give a parameter file and a function, or a function alone")
    return (Path(words[0]) if len(words) == 2 else None), words[-1]


def _rows(words: list[str], nodes: str, sizes: str, hops: int | None, system: System, measured: System) -> list[Row]:
    path, name = _split(words)
    service = scale(service_of(path), system.clock_mhz, system.link_mb_s, measured)
    known(name)
    counts, function = whole(nodes, "nodes", 2), _function(name, hops)
    if hops is not None and hops >= min(counts):
        raise SweepError(f"--hops: {hops} is more than a ring of {min(counts)} nodes has")
    wanted = whole(sizes, "bytes", LEAST_BYTES)
    return [row(name, function, size, count, service) for count in counts for size in wanted]


def _model(words: list[str]) -> Parameters | None:
    """The parameter file, where it is LogGP. Raises SweepError, ParametersError."""
    path, _ = _split(words)
    found = read_parameters(path) if path else None
    return found if found and isinstance(found.model, LogGP) else None


def _refuse(options: Mapping[str, object], why: str) -> None:
    """Raises SweepError where one of the options is given."""
    for name, value in options.items():
        if value:
            raise SweepError(f"{name} {why}: leave it out")


def predict(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[PARAMS] FUNCTION",
            help=f"A parameter file, and one of: {', '.join(FUNCTIONS)}; of the kind loggp: message, or a collective as in allreduce.",
        ),
    ],
    nodes: Nodes = "8",
    sizes: Sizes = "4:16384:x2",
    hops: Annotated[int | None, typer.Option(min=1, help="Of a unicast; default: to the farthest node.")] = None,
    clock: Annotated[float | None, typer.Option(min=1e-3, help="MHz; default: as measured.")] = None,
    link: Annotated[float | None, typer.Option(min=1e-3, help="MB/s; default: as measured.")] = None,
    measured_clock: MeasuredClock = SHARC.clock_mhz,
    measured_link: MeasuredLink = SHARC.link_mb_s,
    algorithm: Annotated[
        str | None, typer.Option(help="loggp: this algorithm; default: the one that the library chooses.")
    ] = None,
    machine: Annotated[
        str | None, typer.Option(help="loggp: on this machine's network; default: the machine of the parameters.")
    ] = None,
    steps: Annotated[
        bool, typer.Option("--steps", help="loggp: each rank's steps, and when they begin and end.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="A list of objects instead of a table.")] = False,
) -> None:
    """What the ring paper's model says: Eqs. 5 to 7 for a unicast, 8 to 10 for a broadcast, 11 for an allgather.

    Without PARAMS the parameters are the paper's own, of 40 MHz and 40 MB/s. Of each time it says which part goes with the clock
    and which with the link (Table 10).

    With PARAMS of the kind loggp: the price of the schedule that the library chooses for a collective, of one call by itself, or of one
    message; bytes are what each rank contributes, as in mpico bench.

    Exit status 2 when it cannot.
    """
    measured = System("measured", measured_clock, measured_link)
    system = System("asked for", clock or measured_clock, link or measured_link)
    of_ring = {"--hops": hops, "--clock": clock, "--link": link}
    of_loggp = {"--algorithm": algorithm, "--machine": machine, "--steps": steps}
    try:
        if found := _model(words):
            _refuse(of_ring, "is of a ring service, and these parameters are of the kind loggp")
            predict_loggp.tell(found, words[-1], nodes, sizes, algorithm, machine, steps, as_json)
            return
        _refuse(of_loggp, "is of parameters of the kind loggp")
        rows = _rows(words, nodes, sizes, hops, system, measured)
    except (ParametersError, SweepError, ExplainError, PlaceError, DescriptionError) as error:
        typer.echo(f"mpico model predict: {error}", err=True)
        raise typer.Exit(CANNOT) from None
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
        return
    heads = {"nodes": "nodes", "bytes": "bytes", "us": "us", "clock_us": "of the clock", "link_us": "of the link"}
    title = f"{words[-1]}, Eq. {EQUATION[words[-1]]}, {system.clock_mhz:g} MHz, {system.link_mb_s:g} MB/s"
    print_rows(rows, title, heads | {"mb_s": "MB/s"})
