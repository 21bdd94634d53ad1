"""Which benchmarks a suite has: subcommand, ranks, arguments, and the files that they read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .corner_turn import message_bytes, recursive
from .patterns import in_full

SUITES = ("quick", "full")
MESSAGE = 262144
"""Bytes of the messages that the published tables are about: a quarter of a megabyte."""
ADJACENT_PAIR = f"0: S 1 {MESSAGE} R E\n1: R S 0 0 E\n"
"""A message one way and an empty one back, in every period."""
HAZARD = 8
"""Nodes from which a corner turn whose receives take any sender deadlocks in some orders (docs/pmp.md); up to 4 it does in none."""


@dataclass(frozen=True)
class Benchmark:
    """One run of the program. `{file}` among the arguments stands for the path of `text`, `{chains}` for the chains' folder."""

    name: str
    """Of its file in the results, without ending; unique."""
    subcommand: str
    ranks: int
    arguments: tuple[str, ...]
    text: str = ""
    """A pattern that is written to a file first."""


def corner_turn(nodes: int) -> str:
    """The recursive corner turn on so many nodes, a power of two, as a pattern; each node holds 1 MB."""
    return in_full(recursive(nodes), nodes, message_bytes(nodes))


def _pairs(quick: bool, ranks: int) -> list[Benchmark]:
    count = ("--messages", "50" if quick else "1000")
    layouts = [("adjacent", 2), ("symmetric", ranks), ("asymmetric", ranks)]
    return [Benchmark(f"pairs-{name}", "pairs", n, ("--layout", name, *count)) for name, n in layouts]


def _hartstone(quick: bool, threads: bool) -> list[Benchmark]:
    duration = ("--seconds", "0.2" if quick else "1")
    one = Benchmark("hartstone-1", "hartstone", 2, ("--tasks", "1", "--no-threads", *duration))
    if not threads:
        return [one]
    more: list[tuple[str, tuple[str, ...]]] = [
        ("hartstone-3", ()),
        ("hartstone-3-sleep", ("--wait", "sleep")),
        ("hartstone-3-rate-monotonic", ("--schedule", "rate-monotonic")),
    ]
    return [one, *(Benchmark(name, "hartstone", 2, (*options, *duration)) for name, options in more)]


def _patterns(quick: bool, ranks: int) -> list[Benchmark]:
    options = ("{file}", "--duration", "0.3" if quick else "5")
    turns = [n for n in ((2, 4) if quick else (2, 4, 8, 16)) if n <= max(ranks, 4)]
    found = [Benchmark("pmp-adjacent", "pmp", 2, options, ADJACENT_PAIR)]
    for n in turns:
        sure = ("--exact",) if n >= HAZARD else ()
        found.append(Benchmark(f"pmp-corner-turn-{n}", "pmp", n, (*options, *sure), corner_turn(n)))
    return found


def _chains(quick: bool) -> list[Benchmark]:
    options = ("--seconds", "0.5" if quick else "4")
    files = [("fft", 3), ("ct", 3), ("fft-ct", 3), ("fft-ct--fft", 4), ("fft--ct--fft", 5)]
    chosen = files[2:3] if quick else files
    return [Benchmark(f"chain-{name}", "chain", n, (f"{{chains}}/{name}.chain", *options)) for name, n in chosen]


def _grids(quick: bool, ranks: int) -> list[Benchmark]:
    rows, duration = ("64", "0.3") if quick else ("256", "2")
    found = []
    for lines in (1,) if quick else (1, 2, 4):
        if 3 * lines <= max(ranks, 3):
            shape = ("--lines", str(lines), "--rows", rows, "--columns", str(64 * lines))
            found.append(Benchmark(f"grid-{lines}", "grid", 3 * lines, (*shape, "--duration", duration)))
    return found


def benchmarks(suite: str, ranks: int, simulated: bool) -> list[Benchmark]:
    """All benchmarks of a suite ("quick" or "full"), in the order in which they run.

    ranks: of those that take any number; from 2, the many pairs an even one. simulated: without the
    benchmarks that a simulated machine has no use for, of threads and of kernels, whose work takes no time there unless declared.
    """
    quick, even = suite == "quick", max(ranks - ranks % 2, 2)
    pauses = Benchmark("pauses", "pauses", min(ranks, 2), ("--seconds", "1" if quick else "30"))
    kernels = Benchmark("kernels", "kernels", 1, ("--seconds", "0.02", "--estimate") if quick else ())
    return [
        pauses,
        *_pairs(quick, even),
        *_hartstone(quick, not simulated),
        *_patterns(quick, ranks),
        *([] if simulated else [kernels]),
        *_chains(quick),
        *_grids(quick, ranks),
    ]


def chosen(all_of_them: Sequence[Benchmark], only: str | None) -> list[Benchmark]:
    """Those whose name or subcommand stands in `only` ("pairs,hartstone-1"). Raises ValueError for one that is not there."""
    if only is None:
        return list(all_of_them)
    words = [word.strip() for word in only.split(",")]
    known = {b.name for b in all_of_them} | {b.subcommand for b in all_of_them}
    missing = [word for word in words if word not in known]
    if missing:
        raise ValueError(f"there is no benchmark '{missing[0]}'; there are {', '.join(b.name for b in all_of_them)}")
    return [b for b in all_of_them if b.name in words or b.subcommand in words]
