"""`mpico machine`: the machines that mpiexec --machine can simulate.

The simulator itself reads and checks the files, so that there is one schema: this prints what it says.
"""

from __future__ import annotations

import json
import subprocess
from math import prod
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .places import PlaceError, machine_file, machine_files, simulator

app = typer.Typer(help="The machines that mpiexec --machine can simulate.", no_args_is_help=True)

Description = dict[str, Any]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of a table.")]


class DescriptionError(Exception):
    """A machine file is wrong; the text is the simulator's: "file:line: what is wrong and what to write"."""


def describe(file: Path) -> Description:
    """The machine in `file`, every key of the schema with its value. Raises DescriptionError."""
    done = subprocess.run([simulator(), "--describe", file], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise DescriptionError(done.stderr.strip() or f"{file}: the simulator ended with status {done.returncode}")
    described: Description = json.loads(done.stdout)
    return described


def nodes(machine: Description) -> str:
    """How many nodes the machine has, for people."""
    network = machine["network"]
    most = machine["nodes_max"]
    if network["kind"] == "mesh":
        most = prod(network["extent"])
        return " x ".join(map(str, network["extent"])) + (f" = {most}" if len(network["extent"]) > 1 else "")
    if network["kind"] == "crossbar":
        whole = network["ports"] << network["cube_dimensions"]
        most = min(most, whole) if most else whole
    return f"up to {most}" if most else "any"


def _refuse(error: Exception) -> typer.Exit:
    typer.echo(f"mpico machine: {error}" if isinstance(error, PlaceError) else str(error), err=True)
    return typer.Exit(1)


def _row(file: Path) -> Description:
    machine = describe(file)
    return {
        "name": file.stem,
        "network": machine["network"]["kind"],
        "nodes": nodes(machine),
        "about": machine["about"],
    }


@app.command("list")
def list_machines(as_json: AsJson = False) -> None:
    """The machines that mpiexec --machine knows by name. Status 1 when one of their files is wrong."""
    rows, failed = [], False
    try:
        for file in machine_files():
            try:
                rows.append(_row(file))
            except DescriptionError as error:
                typer.echo(str(error), err=True)
                failed = True
    except PlaceError as error:
        raise _refuse(error) from None
    if as_json:
        typer.echo(json.dumps(rows))
    else:
        table = Table("name", "network", "nodes", "about")
        for row in rows:
            table.add_row(*(escape(str(value)) for value in row.values()))
        Console().print(table)
    if failed:
        raise typer.Exit(1)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _tables(machine: Description) -> list[Table]:
    """One table for the keys before the first table of the file, and one for each of its tables."""
    plain = {key: value for key, value in machine.items() if not isinstance(value, dict)}
    parts = {"": plain, **{key: value for key, value in machine.items() if isinstance(value, dict)}}
    tables = []
    for title, keys in parts.items():
        table = Table(title=f"\\[{title}]" if title else None, title_justify="left", show_header=False)
        for key, value in keys.items():
            table.add_row(key, escape(_text(value)))
        tables.append(table)
    return tables


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="A machine's name, or a file as in ./my.toml.")], as_json: AsJson = False
) -> None:
    """All that describes a machine, defaults included. `mpico machine schema` says what the keys mean."""
    try:
        machine = describe(machine_file(name))
    except (PlaceError, DescriptionError) as error:
        raise _refuse(error) from None
    if as_json:
        typer.echo(json.dumps(machine))
        return
    for table in _tables(machine):
        Console().print(table)


@app.command()
def check(files: Annotated[list[str], typer.Argument(help="Machine files, or names of machines.")]) -> None:
    """Are these machine files right? Says what is wrong, where, and what to write instead; status 1 then."""
    failed = False
    for file in files:
        try:
            describe(Path(file) if Path(file).is_file() else machine_file(file))
            typer.echo(f"{file}: fine")
        except DescriptionError as error:
            typer.echo(str(error), err=True)
            failed = True
        except PlaceError as error:
            raise _refuse(error) from None
    if failed:
        raise typer.Exit(1)


@app.command()
def schema() -> None:
    """Every key of a machine file: type, range, default, meaning; a table in Markdown."""
    try:
        done = subprocess.run([simulator(), "--describe-schema"], check=False)
    except PlaceError as error:
        raise _refuse(error) from None
    raise typer.Exit(1 if done.returncode else 0)
