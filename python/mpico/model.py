"""`mpico model`: the performance model."""

from __future__ import annotations

import typer

from . import fit_command, predict, tradeoff, validate_command

app = typer.Typer(help="The performance model: fit, validate, predict, trade off.", no_args_is_help=True)
app.command("fit")(fit_command.fit)
app.command("validate")(validate_command.validate)
app.command("predict")(predict.predict)
app.add_typer(tradeoff.app, name="tradeoff")
