"""Which parameters of a fit are told by themselves, and which only together with others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations

from .fit_linear import Fit
from .parameter_types import SUMS

ITSELF, BREAK, CONVENTION = "by itself", "break", "convention"
TIED = 0.95
"""Two estimates are hardly told apart when their errors are correlated by this much."""
NO_ESTIMATES = {"unicast": {"w_max": BREAK, "w_min": CONVENTION}, "broadcast": {"P_fill": BREAK}, "allgather": {}}


def _short(name: str) -> str:
    return name.split(".")[1]


def _tied(solved: Fit, left_out: Collection[str]) -> list[tuple[str, str]]:
    """Pairs of estimates that are hardly told apart."""
    names = [name for name in solved.names if name not in left_out]
    return [(a, b) for a, b in combinations(names, 2) if abs(solved.correlation(a, b)) > TIED]


def _rests(table: str, solved: Fit) -> list[tuple[str, str]]:
    """Pairs (first, second) of SUMS that the fit tells apart: the second is what the first leaves of their sum."""
    pairs = [(f"{table}.{a}", f"{table}.{b}") for a, b in SUMS.get(table, ())]
    return [(a, b) for a, b in pairs if {a, b} <= set(solved.names)]


def told(table: str, solved: Fit, sums: Collection[str], left_out: Collection[str] = ()) -> Mapping[str, str]:
    """For each parameter of a table how it is told: by itself, as a sum, as the rest of one, with another, as a break.

    `sums` are those that are only known as sums, as "broadcast.o_node+L_node"; `left_out`: names that are no parameters. Keys have the
    table's name in front, as in "unicast.o_r".
    """
    found = {name: ITSELF for name in solved.names if name not in left_out}
    found |= {
        second: f"{_short(first)} + {_short(second)} less {_short(first)}" for first, second in _rests(table, solved)
    }
    for first, second in _tied(solved, left_out):
        found |= {first: f"with {_short(second)}", second: f"with {_short(first)}"}
    for joint in sums:
        if joint.startswith(f"{table}."):
            found[joint.split("+")[0]] = "as a sum"
    return found | {f"{table}.{key}": how for key, how in NO_ESTIMATES[table].items()}


def _sum(solved: Fit, factors: Mapping[str, float]) -> str:
    value, half = sum(f * solved.estimates[name] for name, f in factors.items()), solved.half(factors)
    return f"{value:.4g} ({value - half:.4g} to {value + half:.4g})"


def notes(table: str, solved: Fit, left_out: Collection[str] = ()) -> list[str]:
    """Sentences on what is told only with others, with the sums that are sure and their intervals of 95 %."""
    found = [
        f"{second} is told only as the rest of a sum: {_short(first)} + {_short(second)} is "
        f"{_sum(solved, {first: 1.0, second: 1.0})}, and its interval has the uncertainty of both"
        for first, second in _rests(table, solved)
    ]
    for a, b in _tied(solved, left_out):
        i, j = solved.names.index(a), solved.names.index(b)
        first, second = (a, b) if solved.estimates[a] > solved.estimates[b] else (b, a)
        k = solved.names.index(second)
        factor = float(-solved.spread[i, j] / solved.spread[k, k])
        found.append(
            f"{first} and {_short(second)} are hardly told apart (correlation {solved.correlation(a, b):+.4f}): sure is "
            f"{_short(first)} + {factor:.4g} {_short(second)} = {_sum(solved, {first: 1.0, second: factor})}"
        )
    return found
