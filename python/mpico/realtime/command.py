"""`mpico realtime`: runs the real-time suite, reports on it, and compares libraries. docs/realtime.md."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..places import PlaceError
from ..progress import progress_bar
from . import compare, granularity, grid_command, sar_command
from .page import page
from .report import Report, compose
from .report_records import RecordsError, Suite, read_folder
from .run import Place, RunError, place_of, run_all
from .run_suite import SUITES, Benchmark, benchmarks, chosen

CANNOT, MISSED = 2, 1
PAGE, PDF = "report.html", "report.pdf"
WIDE = 180
"""Columns where the output is no terminal."""

app = typer.Typer(help="The real-time suite: shortest periods that are always kept.", no_args_is_help=True)
app.command("compare")(compare.compare)
app.command("granularity")(granularity.granularity)
app.command("scaling")(grid_command.scaling)
app.command("sar")(sar_command.sar)


def _say(command: str, sentence: object) -> None:
    typer.echo(f"mpico realtime {command}: {sentence}", err=True)


def _carry_out(todo: list[Benchmark], place: Place, out: Path, suite: str) -> Suite:
    with progress_bar() as bar:
        task = bar.add_task("benchmarks", total=len(todo))
        seen: list[str] = []

        def step(name: str) -> None:
            bar.update(task, description=name, completed=len(seen))
            seen.append(name)

        return run_all(todo, place, out, suite, step)


def write_report(suite: Suite, folder: Path, pdf: bool) -> Report:
    """Compose the report of a suite and write the page, with pdf also the PDF, into its folder. Raises OSError."""
    with progress_bar() as bar:
        task = bar.add_task("report", total=len(suite.runs))
        report = compose(suite, lambda name: bar.update(task, description=f"report: {name}", advance=1))
        (folder / PAGE).write_text(page(report), encoding="utf-8")
        if pdf:
            from . import report_pdf  # matplotlib takes a second to load

            report_pdf.write_pdf(report, folder / PDF)
    return report


def as_json(report: Report) -> str:
    """Environment and verdicts as text."""
    runs = [
        {
            "name": s.run.name,
            "outcome": s.run.outcome,
            "kept": s.kept,
            "message": s.run.message,
            "verdicts": [{"what": v.what, "kept": v.kept, "detail": v.detail} for v in s.verdicts],
        }
        for s in report.sections
    ]
    return json.dumps({"environment": dict(report.facts), "failed": report.failed, "runs": runs}, indent=1)


def _print(report: Report) -> None:
    table = Table(title=f"Real-time suite: {report.suite.place}", title_justify="left")
    for name in ("benchmark", "outcome", "verdict", "what", "detail"):
        table.add_column(name)
    for s in report.sections:
        shown, style = s.main_verdict, None if s.kept else "bold red"
        row = (s.run.name, s.run.outcome, "kept" if s.kept else "NOT KEPT", shown.what, shown.detail)
        table.add_row(*map(escape, row), style=style)
    console = Console()
    (console if console.is_terminal else Console(width=WIDE)).print(table)


def _finish(suite: Suite, folder: Path, pdf: bool, json_wanted: bool) -> None:
    report = write_report(suite, folder, pdf)
    if json_wanted:
        typer.echo(as_json(report))
    else:
        _print(report)
        typer.echo(f"{report.summary} The page: {folder / PAGE}{f', {folder / PDF}' if pdf else ''}")
    if report.failed:
        raise typer.Exit(MISSED)


@app.command("run")
def run(
    out: Annotated[Path, typer.Option(help="Folder of the results; it is made.")],
    suite: Annotated[str, typer.Option(help="quick or full.")] = "quick",
    ranks: Annotated[int, typer.Option(min=2, help="Of the benchmarks that take any number.")] = 4,
    machine: Annotated[str | None, typer.Option(help="On a simulated machine: a name or a file.")] = None,
    mpiexec: Annotated[str | None, typer.Option(help="Another library's launcher, with options.")] = None,
    program: Annotated[Path | None, typer.Option(help="The program as compiled for that library.")] = None,
    only: Annotated[
        str | None, typer.Option(help="Benchmarks or subcommands, as in pauses,pairs-adjacent; without: all.")
    ] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="The report as PDF too.")] = False,
    json_wanted: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Run the suite and write its report. Exits with 1 where a benchmark failed, missed deadlines or a target, or was wrong."""
    try:
        if suite not in SUITES:
            raise ValueError(f"--suite is {' or '.join(SUITES)}, not '{suite}'")
        place = place_of(machine, mpiexec, program)
        todo = chosen(benchmarks(suite, ranks, place.machine is not None), only)
        _finish(_carry_out(todo, place, out, suite), out, pdf, json_wanted)
    except (PlaceError, RunError, ValueError) as error:
        _say("run", error)
        raise typer.Exit(CANNOT) from None
    except OSError as error:
        _say("run", f"cannot write {error.filename or out}: {error.strerror}; name another folder by --out")
        raise typer.Exit(CANNOT) from None


@app.command("report")
def report(
    folder: Annotated[Path, typer.Argument(help="Results of mpico realtime run.")],
    pdf: Annotated[bool, typer.Option("--pdf", help="As PDF too.")] = False,
    json_wanted: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Write the report of a folder of results again, from its files. Exits as run does."""
    try:
        _finish(read_folder(folder), folder, pdf, json_wanted)
    except RecordsError as error:
        _say("report", error)
        raise typer.Exit(CANNOT) from None
    except OSError as error:
        _say("report", f"cannot write {error.filename or folder}: {error.strerror}; copy the folder to where it can")
        raise typer.Exit(CANNOT) from None
