"""The command `mpico` with its parts: one module a part."""

from __future__ import annotations

import typer

from . import bench, explain, machine, model, reproduce, trace, tune
from .realtime import command as realtime
from .realtime import pmp_command

app = typer.Typer(
    help="Simulated machines, traces of runs, the performance model, and reproductions of published measurements.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)
app.add_typer(machine.app, name="machine")
app.add_typer(model.app, name="model")
app.add_typer(pmp_command.app, name="pmp")
app.add_typer(realtime.app, name="realtime")
app.add_typer(reproduce.app, name="reproduce")
app.add_typer(trace.app, name="trace")
app.command("explain")(explain.explain)
app.command("bench")(bench.bench)
app.command("tune")(tune.tune)
