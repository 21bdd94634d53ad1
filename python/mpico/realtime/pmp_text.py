"""Tables and verdicts of `realtime pmp` for the report of a suite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Record = dict[str, Any]


def runs(records: Sequence[Record]) -> list[Record]:
    """The records of patterns that were run."""
    return [r for r in records if r.get("record") == "pmp"]


def name_of(record: Record) -> str:
    """The file without its folder, and the version unless it is the usual one."""
    name = str(record["file"]).rsplit("/", 1)[-1]
    return name if record["version"] == "asynchronous" else f"{name}, {record['version']}"


def _row(r: Record) -> list[str]:
    rate = "-" if r["rate"] is None else f"{r['rate'] / 1e6:.1f}"
    kept = f"{r['missed']} of {r['periods']}"
    numbers = [f"{1e3 * r['period_s']:.4g}", rate, f"{1e3 * r['worst_s']:.4g}", kept, f"{100 * r['miss_bound']:.2g}"]
    return [name_of(r), str(r["nodes"]), str(r["messages"]), str(r["stages"]), *numbers]


def tables(records: Sequence[Record]) -> list[tuple[str, list[str], list[list[str]]]]:
    """One table with a row a pattern; rates are bytes sent by one node a period, the most over nodes, in 10^6 a second."""
    heads = ["pattern", "nodes", "messages", "stages", "period, ms", "MB/s", "worst, ms", "missed", "bound, %"]
    rows = [_row(r) for r in runs(records)]
    return [("Shortest periods of message patterns", heads, rows)] if rows else []


def verdicts(records: Sequence[Record]) -> list[tuple[str, bool | None, str]]:
    """Whether each pattern's period was kept, and its messages arrived as they were sent."""
    found: list[tuple[str, bool | None, str]] = []
    for r in runs(records):
        missed = f"{r['missed']} of {r['periods']} periods missed"
        if r["missed"] == 0:
            missed += f"; under {100 * r['miss_bound']:.2g} % are with {100 * r['confidence']:g} % confidence"
        what = f"{name_of(r)}: deadlines at {1e3 * r['period_s']:.4g} ms"
        found.append((what, bool(r["kept"]), missed))
        found.append((f"{name_of(r)}: messages", r["wrong"] == 0, f"{r['wrong']} with other data than was sent"))
    return found
