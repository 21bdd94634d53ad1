"""LogGP parameters held against measurements: half ping-pongs, and collectives by the prices of their schedules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from . import schedules
from .check import Check
from .explain import ExplainError
from .fit_checks import FitError
from .loggp import message_us
from .machine import DescriptionError, describe
from .parameter_types import LogGP, Parameters
from .places import PlaceError, machine_file
from .progress import progress_bar
from .results import Measurement, Results

MESSAGES = "pingpong"


def _messages(model: LogGP, results: Results) -> list[Check]:
    """Half ping-pongs of ranks that have processors of their own."""
    shared = results.environment.place in schedules.SHARED
    found = [m for m in results.of(MESSAGES) if not shared or m.ranks <= model.processors]
    return [
        Check(MESSAGES, m.ranks, m.bytes, m.us, message_us(model, m.bytes))
        for m in sorted(found, key=lambda m: (m.ranks, m.bytes))
    ]


def _by_call(results: Results) -> Mapping[tuple[str, int], list[Measurement]]:
    """Measured collectives by call and ranks, sizes ascending."""
    groups: dict[tuple[str, int], list[Measurement]] = defaultdict(list)
    for call in schedules.COLLECTIVES:
        for m in sorted(results.of(call), key=lambda m: (m.ranks, m.bytes)):
            groups[call, m.ranks].append(m)
    return groups


def _require_no_ring(machine: str) -> None:
    """Raises FitError for a ring of a machine file: its network does broadcasts by itself."""
    if describe(machine_file(machine))["network"]["kind"] == "ring":
        raise FitError(
            f"the network of {machine} does broadcasts and allgathers by itself, which is no schedule of messages: fit the kind "
            "ring-service to results of the discipline stop-and-wait"
        )


def collectives(parameters: Parameters, results: Results) -> list[Check]:
    """Each collective measured, beside the price of the schedule that the library chooses there.

    On a host: what the model that mpiexec hands out chooses; elsewhere the table of bounds. Raises FitError.
    """
    chooser: schedules.Chooser = "job" if parameters.place in schedules.SHARED else "table"
    checks, groups = [], _by_call(results)
    try:
        machine = schedules.machine_of(parameters)
        if machine and groups:
            _require_no_ring(machine)
        with progress_bar() as bar:
            task = bar.add_task("pricing schedules", total=len(groups))
            for (call, ranks), found in groups.items():
                asked = schedules.Question(call, ranks, chooser, None, machine)
                priced = schedules.price(parameters, asked, [m.bytes for m in found])
                checks += [
                    Check(call, ranks, m.bytes, m.us, p.us, p.algorithm) for m, p in zip(found, priced, strict=True)
                ]
                bar.advance(task)
    except (ExplainError, PlaceError, DescriptionError) as error:
        raise FitError(str(error)) from None
    return checks


def check_loggp(parameters: Parameters, results: Results) -> list[Check]:
    """Messages and collectives. Raises FitError when there are none of either."""
    assert isinstance(parameters.model, LogGP)
    checks = _messages(parameters.model, results)
    checks += collectives(parameters, results)
    if not checks:
        raise FitError(
            "the results have no pingpong on ranks with processors of their own, and no collective: mpico bench --patterns "
            f"{MESSAGES},{','.join(schedules.COLLECTIVES)}"
        )
    return checks


def judged(checks: Sequence[Check]) -> Sequence[Check]:
    """What the target is of: the messages; where there are none, all."""
    return [check for check in checks if check.what == MESSAGES] or checks
