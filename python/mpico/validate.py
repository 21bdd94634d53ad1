"""`mpico model validate`: what a model predicts beside what was measured, with the errors.

Also of a model that was fitted to every other size, held against the sizes between (--split).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from . import ring_terms
from .check import Check
from .fit_checks import FitError
from .parameter_types import Parameters, RingService
from .results import Measurement, Results
from .ring_terms import Form
from .validate_loggp import check_loggp


@dataclass(frozen=True)
class Summary:
    """The checks of one pattern on one number of ranks."""

    what: str
    ranks: int
    checks: tuple[Check, ...]

    @property
    def worst(self) -> Check:
        """The one with the largest error."""
        return max(self.checks, key=lambda check: abs(check.error))

    @property
    def median_error(self) -> float:
        """The median of the errors without their signs, a share."""
        return median(abs(check.error) for check in self.checks)


def summaries(checks: Sequence[Check]) -> list[Summary]:
    """The checks by pattern and ranks, in their order."""
    groups: dict[tuple[str, int], list[Check]] = defaultdict(list)
    for check in checks:
        groups[check.what, check.ranks].append(check)
    return [Summary(what, ranks, tuple(found)) for (what, ranks), found in groups.items()]


def median_error(checks: Sequence[Check]) -> float:
    """Over all checks, a share."""
    return median(abs(check.error) for check in checks)


def worst_error(checks: Sequence[Check]) -> float:
    """Over all checks, a share."""
    return max(abs(check.error) for check in checks)


def _messages(model: RingService, found: Sequence[Measurement], form: Form) -> list[Check]:
    """Messages to the farthest node, and the mean over the pairs that were measured."""
    by_cell: Mapping[tuple[int, int], list[Measurement]] = defaultdict(list)
    for m in found:
        by_cell[m.ranks, m.bytes].append(m)
    checks = []
    for (ranks, size), pairs in by_cell.items():
        times = [(m, m.us, ring_terms.predict(model, m, form)) for m in pairs]
        far = [(us, guess) for m, us, guess in times if m.hops == ranks - 1]
        if far:
            us, guess = max(far)
            checks.append(Check("once, farthest node", ranks, size, us, guess))
        mean = fmean(us for _, us, _ in times), fmean(guess for _, _, guess in times)
        checks.append(Check("once, mean of pairs", ranks, size, *mean))
    return sorted(checks, key=lambda check: (check.what, check.ranks, check.bytes))


def check_ring(model: RingService, results: Results, form: Form = "after-first") -> list[Check]:
    """Single messages, broadcasts and allgathers against Eqs. 7, 10 and 11. Raises FitError when there are none."""
    checks = _messages(model, results.of("once"), form)
    for pattern in ("bcast", "allgather", "allgather-in-place"):
        found = sorted(results.of(pattern), key=lambda m: (m.ranks, m.bytes))
        checks += [Check(pattern, m.ranks, m.bytes, m.us, ring_terms.predict(model, m, form)) for m in found]
    if not checks:
        raise FitError("nothing in the results is what a ring service predicts: measure once, bcast or allgather")
    return checks


def check(parameters: Parameters, results: Results, form: Form = "after-first") -> list[Check]:
    """All that the model predicts and the results have. Raises FitError; also when they are of different machines."""
    e = results.environment
    if (parameters.machine, parameters.place) != (e.machine, e.place):
        raise FitError(
            f"the parameters are of {parameters.machine} ({parameters.place}) and the results of {e.machine} ({e.place}): "
            "fit parameters to results of that machine"
        )
    if isinstance(parameters.model, RingService):
        return check_ring(parameters.model, results, form)
    return check_loggp(parameters, results)


def halves(results: Results) -> tuple[Results, Results]:
    """The results of every other size of the ping-pong, the first included, and those of the sizes between.

    What is measured without sizes of the ping-pong (a barrier) is in the first. Of a size that was measured again the second
    holds the quickest, as a fit takes it.
    """
    sizes = sorted({m.bytes for m in results.of("pingpong")})
    between = set(sizes[1::2])
    once = [m for m in results.uncrowded("pingpong") if m.bytes in between]
    others = [m for m in results.measurements if m.bytes in between and m.pattern != "pingpong"]
    return (
        Results(results.environment, tuple(m for m in results.measurements if m.bytes not in between)),
        Results(results.environment, (*once, *others)),
    )
