"""Tables of `realtime pairs` for the report (docs/realtime.md). Rates in MB/s of 10^6 bytes."""

from __future__ import annotations

from collections.abc import Sequence

from .report_parts import Table
from .report_records import Record


def pairs_of(records: Sequence[Record]) -> list[Record]:
    """The single pairs."""
    return [r for r in records if r.get("record") == "pair"]


def tables(records: Sequence[Record]) -> list[Table]:
    """The run, and a row a pair."""
    runs = [
        [
            str(r["layout"]),
            str(r["pairs"]),
            f"{r['bytes']:,}",
            str(r["messages"]),
            "yes" if r["acks"] else "no",
            f"{r['sum_MBps']:.1f}",
            f"{r['unsent_percent']:.1f}",
            f"{r['unsent_percent_by_processors']:.1f}",
        ]
        for r in records
        if r.get("record") == "pairs"
    ]
    pairs = [
        [f"{r['from']} to {r['to']}", str(r["received"]), str(r["unsent"]), f"{r['seconds']:.4g}", f"{r['MBps']:.1f}"]
        for r in pairs_of(records)
    ]
    head = ["layout", "pairs", "bytes", "messages", "answered", "sum, MB/s", "unsent, %", "unsent by processors, %"]
    return [
        ("Pairs until the first has sent all", head, runs),
        ("Each pair", ["pair", "received", "unsent", "s", "MB/s"], pairs),
    ]


def verdicts(records: Sequence[Record]) -> list[tuple[str, bool | None, str]]:
    """Nothing is kept or not; the rate of one pair is told, of many how unequal they are."""
    rates = [float(r["MBps"]) for r in pairs_of(records) if isinstance(r["MBps"], float | int)]
    if len(rates) == 1:
        return [("rate of the pair", None, f"{rates[0]:.1f} MB/s")]
    if len(rates) < 2 or min(rates) <= 0:
        return []
    detail = f"{max(rates):.1f} over {min(rates):.1f} MB/s: {max(rates) / min(rates):.2f} times"
    return [("fastest over slowest pair", None, detail)]
