"""`mpico tune`: this host's parameter file, measured and fitted in one call, by which collectives then choose their algorithms."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .bench import measure
from .bench_runs import Plan, RunError, Where
from .fit_checks import FitError
from .machine import DescriptionError
from .parameters import ParametersError, write_parameters
from .places import PlaceError, program
from .results import Measurement, Results, ResultsError, write_results

if TYPE_CHECKING:
    from .fit_shared import Protocols

CANNOT, INTERRUPTED = 2, 130
SIZES = tuple(sorted({(4 << i) * j // 2 for i in range(18) for j in (2, 3)} | {1 << 20}))
"""4 B to 1 MB: each power of two and half as much again,"""
BETWEEN = (20480, 28672, 40960)
"""and some where a protocol serves few of them."""
PATTERNS = ("pingpong", "exchange", "copy", "combine")
BUDGET_MS, QUICK_MS = 150, 40
BARRIERS = 5
"""Runs of them: where the system puts the processes differs from run to run."""


def protocols() -> Protocols:
    """From which lengths messages between two processes go another way, as the library has it. Raises PlaceError, RunError."""
    from .fit_shared import Protocols  # scipy takes a while to load

    command = [str(program("bin/mpiexec", "build it first: make build")), "-n", "2"]
    command += [str(program("lib/mpico/explain", "build it first: make build")), "--eager"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        told = json.loads(done.stdout)
        return Protocols(int(told["eager_bytes"]) + 1, int(told["shared_bytes"]))
    except (ValueError, KeyError):
        raise RunError(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stderr.strip()}") from None


def plans(quick: bool) -> list[Plan]:
    """What is measured: messages by size on two ranks, barriers there, and barriers of ranks that share processors, several times."""
    options = ("--budget-ms", str(QUICK_MS if quick else BUDGET_MS))
    cpus = len(os.sched_getaffinity(0))
    return [
        Plan((2,), PATTERNS, tuple(sorted({*(SIZES[::2] if quick else SIZES), *BETWEEN})), None, options),
        *[Plan((2, 2 * cpus, 4 * cpus), ("barriers",), (4,), None, options)] * BARRIERS,
    ]


def take(quick: bool, output: Path | None) -> Results:
    """All measurements of a tuning, as one file of results. Raises PlaceError, DescriptionError, RunError, ResultsError."""
    taken: list[Measurement] = []
    environments = [measure(Where(), plan, None, taken) for plan in plans(quick)]
    results = Results(environments[0], tuple(taken))
    if output:
        write_results(output, results)
    return results


def tune(
    output: Annotated[Path, typer.Option(help="The parameter file to write.")] = Path("mpico-model.toml"),
    results: Annotated[Path | None, typer.Option(help="Keep the measurements, too: JSON lines.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Half of the sizes, a quarter of the time.")] = False,
) -> None:
    """Measure this host's shared memory and fit the model by which collectives choose their algorithms; some seconds.

    mpiexec --model FILE, or the variable MPICO_MODEL, then uses it instead of the one that is shipped. `mpico explain` shows what it
    chooses, `mpico model validate` how well it predicts. The machine should have nothing else to do meanwhile.
    """
    from .fit_shared import fit_shared  # scipy takes a while to load

    try:
        write_parameters(fit_shared(take(quick, results), "mpico tune", protocols()), output)
    except (PlaceError, DescriptionError, RunError, FitError, ParametersError, ResultsError) as error:
        typer.echo(f"mpico tune: {error}", err=True)
        raise typer.Exit(CANNOT) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    typer.echo(f"written: {output}; use it with: export MPICO_MODEL={output.absolute()}")
