"""What the commands of `mpico model tradeoff` share: options, files, refusals."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from .predict import Row
from .sweeps import SweepError

CANNOT = 2

AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of a table.")]
Csv = Annotated[Path | None, typer.Option("--csv", help="Also write the rows into this file.")]
Figure = Annotated[Path | None, typer.Option(help="Also draw into this file (PNG, PDF, SVG).")]


def refuse(error: Exception) -> typer.Exit:
    """Tell why on standard error; raise what is returned."""
    typer.echo(f"mpico model tradeoff: {error}", err=True)
    return typer.Exit(CANNOT)


def write_csv(rows: list[Row], path: Path) -> None:
    """The rows, of which there are some, with a line of names. Raises SweepError when it cannot be written."""
    try:
        with path.open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise SweepError(f"cannot write {path}: {error.strerror}") from None


def draw(path: Path, drawing: Callable[[Path], Path]) -> None:
    """Call `drawing` with the path, and say so. Raises SweepError when it cannot be drawn."""
    try:
        drawing(path)
    except (OSError, ValueError) as error:
        raise SweepError(f"cannot draw {path}: {error}") from None
    typer.echo(f"drawn: {path}", err=True)
