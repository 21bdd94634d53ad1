"""Tables and verdicts of `realtime pauses` for the report (docs/realtime.md)."""

from __future__ import annotations

from collections.abc import Sequence

from .report_parts import Table
from .report_records import Record

REGULAR = 0.3
"""Share of the distances that must be alike for a class of pauses to have a period. Of pauses at random moments under 0.05 are."""


def us(seconds: float) -> str:
    """Microseconds, three digits."""
    return f"{1e6 * seconds:,.3g}" if seconds < 1e-3 else f"{1e6 * seconds:,.0f}"


def watches(records: Sequence[Record]) -> list[Record]:
    """What each rank saw."""
    return [r for r in records if r.get("record") == "pauses"]


def period_text(record: Record) -> str:
    """The period of a class of pauses, or that it has none."""
    if record["regular"] < REGULAR:
        return "irregular"
    return f"every {1e3 * record['distance_s']:.4g} ms"


def _watch_row(r: Record) -> list[str]:
    per_s = r["pauses"] / r["seconds_s"] if r["seconds_s"] else 0.0
    return [
        str(r["rank"]),
        f"{r['seconds_s']:.4g}",
        us(r["threshold_s"]),
        str(r["pauses"]),
        str(r["not_kept"]),
        f"{per_s:.4g}",
        us(r["longest_gap_s"]),
        f"{100 * r['lost_share']:.3g}",
        f"{r['reads']:,}",
    ]


def _class_row(r: Record) -> list[str]:
    lengths = f"{us(r['least_s'])} to {us(r['most_s'])}"
    return [
        str(r["rank"]),
        str(r["count"]),
        lengths,
        us(r["median_s"]),
        f"{100 * r['lost_share']:.3g}",
        period_text(r),
        f"{100 * r['regular']:.0f}",
    ]


def tables(records: Sequence[Record]) -> list[Table]:
    """A row a rank; a row a class of pauses of similar length."""
    header = [
        "rank",
        "s",
        "threshold, us",
        "pauses",
        "of these not kept",
        "a second",
        "longest gap, us",
        "time lost, %",
    ]
    classes = [_class_row(r) for r in records if r.get("record") == "pause-class"]
    found: list[Table] = [("Pauses", [*header, "looks"], [_watch_row(r) for r in watches(records)])]
    if classes:
        head = ["rank", "pauses", "length, us", "median, us", "time lost, %", "period", "distances alike, %"]
        found.append(("Pauses of similar length", head, classes))
    return found


def verdicts(records: Sequence[Record]) -> list[tuple[str, bool | None, str]]:
    """Nothing here is kept or not; what was seen stands beside the deadlines of the other benchmarks, as it bounds them."""
    found: list[tuple[str, bool | None, str]] = []
    for r in watches(records):
        seen = f"{r['pauses']} pauses above {us(r['threshold_s'])} us, {100 * r['lost_share']:.3g} % of the time"
        cut = f"; {r['not_kept']} did not fit into the list" if r["not_kept"] else ""
        found.append((f"longest gap of rank {r['rank']}: {us(r['longest_gap_s'])} us", None, seen + cut))
    return found
