"""`mpico model tradeoff energy`: the clock and link rate that cost least within a deadline, and the Pareto front."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from .energy import PowerError, Technology, read_technology, sources
from .optimum import Objective, Point, Work, least_us, optimum, pareto, work_of
from .parameters import ParametersError
from .predict import LEAST_BYTES, Params, Row, known, print_rows, service_of
from .ring_model import FUNCTIONS
from .sweeps import SweepError
from .tradeoff_output import AsJson, Csv, Figure, draw, refuse, write_csv

OUT_OF_REACH = 1
FRONT_POINTS = 24

Power = Annotated[str, typer.Option(help="sharc, tigersharc, or a TOML file with a base and other figures.")]


def _front(technology: Technology, work: Work, objective: Objective, scaling: bool) -> list[Point]:
    """With a progress bar on standard error."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("front", total=FRONT_POINTS)
        return pareto(technology, work, FRONT_POINTS, objective, scaling, partial(progress.advance, task))


def _say_technology(technology: Technology) -> None:
    rows: list[Row] = [
        {"figure": key, "value": f"{getattr(technology, key):g}", "source": text}
        for key, text in sources(technology).items()
    ]
    print_rows(
        rows, f"The power model's figures: {technology.name}", {key: key for key in ("figure", "value", "source")}
    )


def _point_row(found: Point) -> Row:
    return {**asdict(found), "edp_uj_ms": found.energy_uj * found.us * 1e-3}


def _report(technology: Technology, work: Work, best: Point | None, front: list[Point], objective: Objective) -> None:
    heads = {"clock_mhz": "MHz", "link_mb_s": "MB/s", "volts": "V", "us": "us", "energy_uj": "uJ", "power_w": "W"}
    _say_technology(technology)
    what = f"{work.function}, {work.size:g} bytes, {work.nodes} nodes"
    print_rows([_point_row(found) for found in front], f"Least {objective} against time: {what}", heads)
    if best:
        print_rows([_point_row(best)], f"Least {objective} within the deadline", heads)


def energy(
    function: Annotated[str, typer.Argument(help=f"One of: {', '.join(FUNCTIONS)}.")] = "allgather",
    nodes: Annotated[int, typer.Option(min=2, help="Nodes of the ring.")] = 8,
    size: Annotated[int, typer.Option("--bytes", min=LEAST_BYTES, help="The message.")] = 4096,
    deadline: Annotated[float | None, typer.Option(min=0, help="Microseconds; the front alone without it.")] = None,
    minimise: Annotated[
        Literal["energy", "power"], typer.Option(help="Of one operation; or the mean of one every deadline.")
    ] = "energy",
    power: Power = "sharc",
    voltage: Annotated[
        Literal["scaled", "fixed"], typer.Option(help="Does the supply go down with the clock?")
    ] = "scaled",
    params: Params = None,
    as_json: AsJson = False,
    csv_file: Csv = None,
    figure: Figure = None,
) -> None:
    """The clock and link rate that cost least energy or power within a deadline, and the Pareto front over all deadlines.

    The power model's figures are printed with their sources; docs/tradeoffs.md states the model. Exit status 1 when no clock and
    rate of this technology keeps the deadline.
    """
    scaling = voltage == "scaled"
    try:
        technology = read_technology(power)
        work = work_of(known(function), size, nodes, service_of(params))
        front = _front(technology, work, minimise, scaling)
        if csv_file:
            write_csv([_point_row(found) for found in front], csv_file)
        best = optimum(technology, work, deadline, minimise, scaling) if deadline else None
        if figure:
            from .ring_model_figures import front as drawing  # matplotlib takes a second to load

            draw(figure, partial(drawing, technology, work, front, best, minimise, scaling))
    except (SweepError, PowerError, ParametersError) as error:
        raise refuse(error) from None
    if as_json:
        told: dict[str, object] = {
            "technology": asdict(technology),
            "sources": sources(technology),
            "objective": minimise,
        }
        told |= {"front": [_point_row(found) for found in front], "best": _point_row(best) if best else None}
        typer.echo(json.dumps(told, indent=1))
    else:
        _report(technology, work, best, front, minimise)
    if deadline and not best:
        typer.echo(
            f"mpico model tradeoff: no clock and rate of {technology.name} keeps {deadline:g} us: "
            f"{least_us(technology, work):.2f} us is the least",
            err=True,
        )
        raise typer.Exit(OUT_OF_REACH)
