"""What `mpico bench` tells of its results: bandwidths, a table, CSV."""

from __future__ import annotations

import csv
from dataclasses import asdict, fields
from pathlib import Path

from rich.console import Console
from rich.table import Table

from . import ring_model
from .results import Measurement, Results

WIDE = 120
"""Columns of a table that is not printed on a terminal."""


def bandwidth(m: Measurement) -> float | None:
    """MB/s (10^6 bytes) of a measurement; None where the pattern moves nothing, or what it moves depends on the algorithm.

    A broadcast, and a scatter or gather at the root, by Eq. 1 of the ring paper; allgather and alltoall by Eq. 2; a message, a copy:
    bytes over time.
    """
    if m.us <= 0 or m.pattern in ("send-overhead", "recv-overhead", "reduce", "allreduce", "barrier", "barriers"):
        return None
    if m.pattern in ("bcast", "scatter", "gather"):
        return ring_model.broadcast_bandwidth(m.bytes, m.ranks, m.us)
    if m.pattern in ("allgather", "allgather-in-place", "alltoall"):
        return ring_model.alltoall_bandwidth(m.bytes, m.ranks, m.us)
    return m.bytes / m.us


def _row(m: Measurement) -> list[str]:
    pair = "" if m.source is None else f"{m.source} to {m.destination}"
    mb = bandwidth(m)
    return [
        m.pattern,
        str(m.ranks),
        pair,
        str(m.bytes),
        f"{m.us:.3f}",
        f"{m.low_us:.3f} to {m.high_us:.3f}",
        str(m.repetitions),
        str(m.outliers or ""),
        str(m.late or ""),
        "" if mb is None else f"{mb:.2f}",
    ]


def print_table(console: Console, results: Results) -> None:
    """All measurements, in the order in which they were taken."""
    e = results.environment
    title = f"{e.machine}{f', {e.discipline}' if e.discipline else ''} ({e.place}); {e.library}"
    table = Table(title=title)
    for name in ("pattern", "ranks", "pair", "bytes", "us", "interval", "repeated", "outliers", "late", "MB/s"):
        table.add_column(name, justify="left" if name == "pattern" else "right")
    for m in results.measurements:
        table.add_row(*_row(m))
    console.print(table)
    console.print("us: median; interval: where the true median lies with the confidence asked for.", highlight=False)
    if any(m.late for m in results.measurements):
        console.print("late: starts that were repeated, as a rank was late: the host is busy.", highlight=False)
    doubtful = sum(m.confidence < 0.95 for m in results.measurements)
    if doubtful:
        console.print(f"{doubtful} of the intervals hold with less than 95 %: too few repetitions.", highlight=False)


def write_csv(path: Path, results: Results) -> None:
    """One line a measurement, with the keys of the results file and mb_per_s; empty where there is none."""
    keys = [field.name for field in fields(Measurement)]
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, [*keys, "mb_per_s"], restval="", lineterminator="\n")
        writer.writeheader()
        for m in results.measurements:
            mb = bandwidth(m)
            writer.writerow({**asdict(m), "mb_per_s": "" if mb is None else f"{mb:.6g}"})
