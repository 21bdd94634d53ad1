"""Tables and verdicts of `realtime hartstone` for the report (docs/realtime.md)."""

from __future__ import annotations

from collections.abc import Sequence

from .report_parts import Table, ms, tenths
from .report_records import Record


def summaries(records: Sequence[Record]) -> list[Record]:
    """The records of whole runs."""
    return [r for r in records if r.get("record") == "hartstone"]


def _summary_row(r: Record) -> list[str]:
    period = ms(r["period_s"]) if r["kept"] else f"none to {ms(r['period_s'])}"
    demoted = f", given up in {r['trials_demoted']} trials" if r["trials_demoted"] else ""
    return [
        f"{r['tasks']}{'' if r['threads'] else ', no threads'}",
        r["schedule"],
        r["priorities"] + demoted,
        r["wait"],
        f"{r['bytes']:,}",
        ":".join(f"{ratio:g}" for ratio in r["ratios"]),
        period,
        f"{r['missed']} of {r['periods']}",
        tenths(r["mb_per_s"]),
        str(r["trials"]),
    ]


def _task_row(r: Record) -> list[str]:
    return [
        str(r["task"]),
        str(r["priority"] or "-"),
        ms(r["period_s"]),
        str(r["periods"]),
        str(r["missed"]),
        str(r["late_sends"]),
        str(r["late_receipts"]),
        str(r["skipped"]),
        ms(r["worst_send_s"]),
        ms(r["worst_receipt_s"]),
        ms(r["mean_receipt_s"]),
        tenths(r["mb_per_s"]),
    ]


def tables(records: Sequence[Record]) -> list[Table]:
    """The run, and a row a task."""
    runs = ["tasks", "schedule", "priorities", "wait", "bytes", "ratios", "period, ms", "missed", "MB/s", "trials"]
    tasks = ["task", "priority", "period, ms", "periods", "missed", "late sends", "late receipts", "skipped"]
    times = ["worst send, ms", "worst receipt, ms", "mean receipt, ms", "MB/s"]
    rows = [_task_row(r) for r in records if r.get("record") == "hartstone-task"]
    return [
        ("Shortest period", runs, [_summary_row(r) for r in summaries(records)]),
        ("Tasks", [*tasks, *times], rows),
    ]


def verdicts(records: Sequence[Record]) -> list[tuple[str, bool | None, str]]:
    """Deadlines, messages, and priorities where they were asked for."""
    found: list[tuple[str, bool | None, str]] = []
    for r in summaries(records):
        bound = f"; under {100 * r['miss_bound']:.3g} % are with {100 * r['confidence']:g} % confidence"
        detail = f"{r['missed']} of {r['periods']} missed{bound if r['kept'] else ''}"
        found.append((f"deadlines of {r['tasks']} tasks at {ms(r['period_s'])} ms", r["missed"] == 0, detail))
        found.append(("messages as they were sent", r["wrong"] == 0, f"{r['wrong']} wrong"))
        if r["schedule"] != "equal" and r["priorities"] != "SCHED_FIFO":
            found.append(("rate-monotonic priorities", None, r["priorities"]))
    return found
