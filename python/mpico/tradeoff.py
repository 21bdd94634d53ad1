"""`mpico model tradeoff`: clock rate against link rate of the ring service, in time and in energy."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from . import crossover, tradeoff_energy
from .parameters import ParametersError
from .predict import LEAST_BYTES, MeasuredClock, MeasuredLink, Nodes, Params, Row, Sizes, known, print_rows, service_of
from .ring_model import FUNCTIONS
from .ring_systems import ENHANCED_CLOCK, ENHANCED_RATE, SHARC, SYSTEMS, System, scale, shares
from .sweeps import SweepError, numbers, whole
from .tradeoff_output import AsJson, Csv, Figure, draw, refuse, write_csv

app = typer.Typer(help="Clock rate against link rate, in time and in energy.", no_args_is_help=True)
app.command("energy")(tradeoff_energy.energy)

HELD = {"bytes": "nodes", "nodes": "bytes"}
"""What is held while the other is searched."""

Functions = Annotated[str, typer.Argument(help=f"Separated by commas, of: {', '.join(FUNCTIONS)}.")]


def _sweep_rows(
    names: list[str], counts: list[int], sizes: list[int], systems: list[System], params: Path | None, measured: System
) -> list[Row]:
    service, rows = service_of(params), []
    for name in names:
        for system in systems:
            scaled = scale(service, system.clock_mhz, system.link_mb_s, measured)
            for nodes in counts:
                for size in sizes:
                    clock_us, link_us = shares(FUNCTIONS[name], size, nodes, scaled)
                    told: Row = {"function": name, "nodes": nodes, "bytes": size, "clock_mhz": system.clock_mhz}
                    told |= {"link_mb_s": system.link_mb_s, "us": clock_us + link_us}
                    rows.append(told | {"clock_us": clock_us, "link_us": link_us})
    return rows


def _systems(clock: str | None, link: str | None) -> list[System]:
    """The four of the paper, or every clock with every rate."""
    if clock is None and link is None:
        return list(SYSTEMS)
    rates = numbers(link or "40", "link")
    return [System("", mhz, rate) for mhz in numbers(clock or "40", "clock") for rate in rates]


@app.command()
def sweep(
    functions: Functions = "unicast,bcast,allgather,allgather-in-place",
    nodes: Nodes = "8",
    sizes: Sizes = "128,4096",
    clock: Annotated[str | None, typer.Option(help="MHz: 40,150 or 10:150:10.")] = None,
    link: Annotated[str | None, typer.Option(help="MB/s: 40,150 or 10:150:10.")] = None,
    params: Params = None,
    measured_clock: MeasuredClock = SHARC.clock_mhz,
    measured_link: MeasuredLink = SHARC.link_mb_s,
    as_json: AsJson = False,
    csv_file: Csv = None,
    figure: Figure = None,
) -> None:
    """Times for every combination of clock, link rate, nodes and message size.

    Without --clock and --link: the paper's four systems (section 6). The figure has the option with most values across.
    """
    try:
        names = [known(name) for name in functions.split(",")]
        measured = System("measured", measured_clock, measured_link)
        counts, wanted = whole(nodes, "nodes", 2), whole(sizes, "bytes", LEAST_BYTES)
        rows = _sweep_rows(names, counts, wanted, _systems(clock, link), params, measured)
        if csv_file:
            write_csv(rows, csv_file)
        if figure:
            from .ring_model_figures import sweep as drawing  # matplotlib takes a second to load

            draw(figure, partial(drawing, rows))
    except (SweepError, ParametersError) as error:
        raise refuse(error) from None
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
        return
    heads = {key: key for key in ("function", "nodes", "bytes")}
    heads |= {"clock_mhz": "MHz", "link_mb_s": "MB/s", "us": "us", "clock_us": "of the clock", "link_us": "of the link"}
    print_rows(rows, "Times of the ring service", heads)


def _crossing_rows(names: list[str], over: str, values: list[int], params: Path | None) -> list[Row]:
    service, rows = service_of(params), []
    for name in names:
        for value in values:
            search = crossover.by_size if over == "bytes" else crossover.by_nodes
            told: Row = {"function": name, HELD[over]: value}
            found = search(name, value, service)
            rows += [told | {over: one.at, "how": "a jump" if one.jump else "they meet"} for one in found]
            rows += [] if found else [told | {over: "none", "how": ""}]
    return rows


@app.command()
def crossing(
    functions: Functions = "unicast,bcast,allgather,allgather-in-place",
    over: Annotated[Literal["bytes", "nodes"], typer.Option(help="What is searched.")] = "bytes",
    nodes: Nodes = "8",
    sizes: Sizes = "4096",
    params: Params = None,
    as_json: AsJson = False,
) -> None:
    """Where 150 MHz with 40 MB/s and 40 MHz with 150 MB/s change places: below it the clock gains more, above it the link.

    Found by root finding, up to 1 MB and 1,024 nodes. Any two systems whose clock and rate are exchanged by the same factor change
    places at the same point.
    """
    try:
        names = [known(name) for name in functions.split(",")]
        values = whole(nodes, "nodes", 2) if over == "bytes" else whole(sizes, "bytes", LEAST_BYTES)
        rows = _crossing_rows(names, over, values, params)
    except (SweepError, ParametersError) as error:
        raise refuse(error) from None
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
        return
    title = f"{ENHANCED_CLOCK.name} and {ENHANCED_RATE.name} change places"
    print_rows(rows, title, {key: key for key in ("function", HELD[over], over, "how")})
