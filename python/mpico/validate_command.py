"""`mpico model validate`: the command; validate.py is what it does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from . import validate as checks
from . import validate_loggp
from .check import Check
from .fit_checks import FitError
from .fit_command import fit_results, kind_of
from .parameter_types import LogGP, Parameters, RingService
from .parameters import ParametersError, read_parameters
from .results import Results, ResultsError, read_results
from .ring_terms import FORMS, Form
from .schedules import unknown
from .validate import Summary

OUT_OF_TARGET, CANNOT = 1, 2
WIDE = 140
RING_TARGET, LOGGP_TARGET = 3.0, 10.0
"""Per cent: of the worst error of a ring service (the paper's own bound), of the median error of a ping-pong."""


def _form(name: str) -> Form:
    for form in FORMS:
        if form == name:
            return form
    raise FitError(f"there is no form '{name}' of Eq. 7: the forms are {', '.join(FORMS)}")


def _load(files: Sequence[Path], split: bool, keep_dips: bool) -> tuple[Parameters, Results]:
    """The model and what it is held against."""
    if len(files) != (1 if split else 2):
        raise FitError("give a parameter file and a results file, or --split and a results file alone")
    results = read_results(files[-1])
    if not split:
        return read_parameters(files[0]), results
    if kind_of(results, None) != "loggp":
        raise FitError("--split is of a ping-pong: fit a ring service on few nodes and validate it on many")
    first, between = checks.halves(results)
    return fit_results(first, "loggp", files[-1].name, keep_dips=keep_dips).parameters, between


def _error(share: float, target: float) -> str:
    text = f"{100 * share:+.2f} %"
    return text if abs(share) <= target else f"[red]{text}[/red]"


def _print_summaries(console: Console, groups: Sequence[Summary], target: float) -> None:
    table = Table(title="Predicted against measured")
    for name in ("what", "ranks", "sizes", "median error", "worst error", "at bytes", "measured us", "predicted us"):
        table.add_column(name, justify="left" if name == "what" else "right")
    for group in groups:
        worst = group.worst
        table.add_row(
            group.what,
            str(group.ranks),
            str(len(group.checks)),
            f"{100 * group.median_error:.2f} %",
            _error(worst.error, target),
            str(worst.bytes),
            f"{worst.measured_us:.4g}",
            f"{worst.predicted_us:.4g}",
        )
    console.print(table)


def _print_cells(console: Console, found: Sequence[Check], target: float) -> None:
    table = Table(title="Every size")
    for name in ("what", "schedule", "ranks", "bytes", "measured us", "predicted us", "error"):
        table.add_column(name, justify="left" if name in ("what", "schedule") else "right")
    for one in found:
        times = (f"{one.measured_us:.4g}", f"{one.predicted_us:.4g}")
        table.add_row(one.what, one.algorithm, str(one.ranks), str(one.bytes), *times, _error(one.error, target))
    console.print(table)


def _report(found: Sequence[Check], cells: bool, as_json: bool, target: float) -> None:
    groups, judged = checks.summaries(found), validate_loggp.judged(found)
    median, worst = checks.median_error(judged), checks.worst_error(judged)
    if as_json:
        whole = {"median_error_percent": 100 * median, "worst_error_percent": 100 * worst}
        typer.echo(json.dumps(whole | {"checks": [one.as_json() for one in found]}, indent=1))
        return
    console = Console()
    console = console if console.is_terminal else Console(width=WIDE)
    if cells:
        _print_cells(console, found, target)
    _print_summaries(console, groups, target)
    of = f" of {judged[0].what}" if len(judged) < len(found) else ""
    console.print(f"median error{of} {100 * median:.2f} %, worst {100 * worst:.2f} %", highlight=False)


def _draw(found: Sequence[Check], target: float, title: str, path: Path) -> None:
    from . import model_figures  # matplotlib takes a second to load

    try:
        model_figures.residuals(checks.summaries(found), target, title, path)
    except (OSError, ValueError) as error:
        raise FitError(f"cannot draw {path}: {error}") from None
    typer.echo(f"drawn: {path}", err=True)


def _say_outside(found: Sequence[Check], is_ring: bool, percent: float) -> bool:
    """Says on standard error what is out of the target; was there any?"""
    if not is_ring:
        median = 100 * checks.median_error(validate_loggp.judged(found))
        if median > percent:
            typer.echo(f"out of target: median error {median:.2f} %, target {percent:g} %", err=True)
        return median > percent
    outside = [one for one in found if 100 * abs(one.error) > percent]
    for one in outside:
        where = f"{one.what}, {one.ranks} ranks, {one.bytes} bytes"
        typer.echo(f"out of target: {where}: {100 * one.error:+.2f} %, target {percent:g} %", err=True)
    return bool(outside)


def _say_unknown(parameters: Parameters, found: Sequence[Check]) -> None:
    """Says on standard error what a collective's price lacked."""
    if isinstance(parameters.model, LogGP) and any(one.algorithm for one in found):
        if lacks := unknown(parameters.model):
            typer.echo(f"mpico model validate: not known and taken as 0: {', '.join(lacks)}", err=True)


def validate(
    files: Annotated[list[Path], typer.Argument(metavar="[PARAMS] RESULTS", help="A parameter file, a results file.")],
    split: Annotated[
        bool, typer.Option("--split", help="Fit to every other size of RESULTS and predict the sizes between.")
    ] = False,
    keep_dips: Annotated[
        bool,
        typer.Option("--keep-dips", help="--split: fit also where a longer message is faster beyond its interval."),
    ] = False,
    form: Annotated[str, typer.Option(help=f"How Eq. 7 is read: {', '.join(FORMS)}.")] = FORMS[0],
    target: Annotated[
        float | None,
        typer.Option(min=0, help=f"Per cent; default {RING_TARGET:g} (worst, a ring) or {LOGGP_TARGET:g} (median)."),
    ] = None,
    cells: Annotated[bool, typer.Option("--cells", help="Also a row a size.")] = False,
    figure: Annotated[Path | None, typer.Option(help="Errors by message size, as a picture.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One object instead of tables.")] = False,
) -> None:
    """What a fitted model predicts beside what was measured, with the errors.

    A ring service: single messages (to the farthest node, and the mean), broadcast, allgathers. LogGP: half ping-pongs, and
    collectives by the price of the schedule that the library chooses (--cells names it). Exit status 1 when an error (LogGP: the
    median error of the ping-pong) is out of the target, 2 when nothing can be compared.
    """
    try:
        parameters, results = _load(files, split, keep_dips)
        found = checks.check(parameters, results, _form(form))
        is_ring = isinstance(parameters.model, RingService)
        percent = target if target is not None else RING_TARGET if is_ring else LOGGP_TARGET
        if figure:
            _draw(
                found, percent / 100, f"{parameters.kind} of {parameters.machine}, {results.environment.place}", figure
            )
    except (ResultsError, ParametersError, FitError) as error:
        typer.echo(f"mpico model validate: {error}", err=True)
        raise typer.Exit(CANNOT) from None
    _report(found, cells, as_json, percent / 100)
    _say_unknown(parameters, found)
    if _say_outside(found, is_ring, percent):
        raise typer.Exit(OUT_OF_TARGET)
