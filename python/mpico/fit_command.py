"""`mpico model fit`: parameters out of measurements, printed and written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from .fit_checks import FitError
from .parameter_types import BEYOND_PAPER, Parameters, RingService
from .parameters import ParametersError, document, write_parameters
from .results import Results, ResultsError, read_results

if TYPE_CHECKING:
    from .fit_loggp import LogGPFit
    from .fit_ring import RingFit

CANNOT = 2
WIDE = 140
KINDS = ("ring-service", "loggp")


def kind_of(results: Results, asked: str | None) -> str:
    """The kind of model: as asked, else the ring paper's for its own protocol, and LogGP. Raises FitError."""
    if asked is None:
        return KINDS[0] if results.environment.discipline == "stop-and-wait" else KINDS[1]
    if asked not in KINDS:
        raise FitError(f"there is no kind '{asked}' of model: the kinds are {' and '.join(KINDS)}")
    return asked


def fit_results(
    results: Results, kind: str, source: str, rendezvous_from: int | None = None, keep_dips: bool = False
) -> RingFit | LogGPFit:
    """The model of this kind, fitted. Raises FitError."""
    from . import fit_loggp, fit_ring  # scipy takes a while to load

    if kind == "ring-service":
        return fit_ring.fit_ring(results, source, keep_dips)
    return fit_loggp.fit_loggp(results, source, rendezvous_from, keep_dips)


def _number(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:.4g}"


def _interval(parameters: Parameters, table: str, key: str) -> str:
    ends = parameters.intervals.get(table, {}).get(key)
    return f"{_number(ends[0])} to {_number(ends[1])}" if ends else ""


def ring_rows(parameters: Parameters, told: Mapping[str, str] = MappingProxyType({})) -> list[dict[str, Any]]:
    """Each parameter of a ring service beside the paper's: table, parameter, published, fitted, error in per cent, interval.

    What is only known as a sum is a row of that sum; what the paper has not is None under "published" and "error_percent",
    and left out where it is 0. `told` is a fit's, of what by itself, of what with others.
    """
    model, paper = parameters.model, RingService()
    assert isinstance(model, RingService)
    second = {joint.split("+")[1] for joint in model.sums}
    rows: list[dict[str, Any]] = []
    for table in ("unicast", "broadcast", "allgather"):
        theirs, ours = vars(getattr(paper, table)), vars(getattr(model, table))
        joint = {j.split(".")[1].split("+")[0]: j.split("+")[1] for j in model.sums if j.startswith(table)}
        for key, value in ours.items():
            beyond = key in BEYOND_PAPER.get(table, set())
            if (key in second and key in joint.values()) or (beyond and not model.broadcast.G_fill):
                continue
            published = None if beyond else theirs[key] + (theirs[joint[key]] if key in joint else 0)
            name = f"{key} + {joint[key]}" if key in joint else key
            row: dict[str, Any] = {"table": table, "parameter": name, "published": published, "fitted": value}
            row["error_percent"] = 100 * (value / published - 1) if published else None
            row["interval"] = parameters.intervals.get(table, {}).get(key)
            rows.append(row | {"told": told.get(f"{table}.{key}", "")})
    return rows


def _ring_table(fitted: RingFit) -> Table:
    parameters = fitted.parameters
    table = Table(title=f"The ring service of {parameters.machine} (us, us a hop, us a byte; bytes)")
    for name in ("table", "parameter"):
        table.add_column(name)
    for name in ("ring paper", "fitted", "error", "95 % interval"):
        table.add_column(name, justify="right")
    table.add_column("told")
    for row in ring_rows(parameters, fitted.told):
        ends = row["interval"]
        table.add_row(
            str(row["table"]),
            str(row["parameter"]),
            _number(row["published"]) if row["published"] is not None else "",
            _number(row["fitted"]),
            f"{row['error_percent']:+.2f} %" if row["error_percent"] is not None else "",
            f"{_number(ends[0])} to {_number(ends[1])}" if ends else "",
            row["told"],
        )
    return table


def _loggp_tables(parameters: Parameters) -> list[Table]:
    model = parameters.model
    assert not isinstance(model, RingService)
    scalars = Table(title=f"LogGP of {parameters.machine} ({parameters.place}), microseconds and bytes")
    for name in ("parameter", "fitted", "95 % interval"):
        scalars.add_column(name, justify="left" if name == "parameter" else "right")
    for key, value in vars(model).items():
        if key != "segments":
            scalars.add_row(key, "not known" if value is None else _number(value), _interval(parameters, "loggp", key))
    pieces = Table(title="by message size")
    for key in ("from_bytes", "from interval", "rendezvous"):
        pieces.add_column(key, justify="right")
    names = [key for key in vars(model.segments[0]) if key not in ("from_bytes", "rendezvous")]
    for key in names:
        pieces.add_column(key, justify="right")
    for index, segment in enumerate(model.segments):
        values = vars(segment)
        where = _interval(parameters, f"loggp.segment.{index}", "from_bytes")
        pieces.add_row(
            str(segment.from_bytes),
            where if index else "",
            "yes" if segment.rendezvous else "no",
            *(_number(values[key]) for key in names),
        )
    return [scalars, pieces]


def _print(fitted: RingFit | LogGPFit) -> None:
    from .fit_loggp import LogGPFit  # scipy takes a while to load

    console = Console()
    console = console if console.is_terminal else Console(width=WIDE)
    parameters = fitted.parameters
    for table in _loggp_tables(parameters) if isinstance(fitted, LogGPFit) else [_ring_table(fitted)]:
        console.print(table)
    for note in fitted.notes:
        console.print(f"note: {note}", highlight=False, markup=False, soft_wrap=True)


def _json(fitted: RingFit | LogGPFit) -> str:
    from .fit_loggp import LogGPFit

    parameters = fitted.parameters
    whole: dict[str, object] = {"parameters": document(parameters)}
    if not isinstance(fitted, LogGPFit):
        whole["rows"] = ring_rows(parameters, fitted.told)
    refused = [{"parameters": r.names, "reason": r.reason, "mend": r.mend} for r in fitted.refused]
    return json.dumps(whole | {"refused": refused, "notes": fitted.notes}, indent=1)


def fit(
    results: Annotated[Path, typer.Argument(help="A results file of mpico bench.")],
    output: Annotated[Path | None, typer.Option(help="The parameter file to write, TOML.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="ring-service or loggp; default: ring-service for the discipline stop-and-wait.")
    ] = None,
    rendezvous_from: Annotated[
        int | None, typer.Option(min=0, help="loggp: bytes from which the library asks before it sends.")
    ] = None,
    keep_dips: Annotated[
        bool, typer.Option("--keep-dips", help="Fit also where a longer message is faster beyond its interval.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One object instead of tables.")] = False,
) -> None:
    """Parameters of the performance model out of measurements, with intervals of 95 %.

    What the measurements do not tell is refused, on standard error, with the call of mpico bench that settles it. Exit status 2,
    and no file, when nothing can be fitted.
    """
    try:
        measured = read_results(results)
        fitted = fit_results(measured, kind_of(measured, kind), results.name, rendezvous_from, keep_dips)
        if output:
            write_parameters(fitted.parameters, output)
    except (ResultsError, FitError, ParametersError) as error:
        typer.echo(f"mpico model fit: {error}", err=True)
        raise typer.Exit(CANNOT) from None
    if as_json:
        typer.echo(_json(fitted))
    else:
        _print(fitted)
    for refusal in fitted.refused:
        typer.echo(f"mpico model fit: refused: {refusal}", err=True)
    if output:
        typer.echo(f"written: {output}", err=True)
