"""Picture of `realtime hartstone`: what each task took of its period. Imports matplotlib."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from .hartstone_text import summaries
from .report_parts import ms
from .report_records import Record

BARS = (
    ("mean_receipt_s", "mean receipt", "0.75"),
    ("worst_send_s", "worst send", "C0"),
    ("worst_receipt_s", "worst receipt", "C1"),
)


def figures(records: Sequence[Record]) -> list[tuple[str, Figure]]:
    """Per task the worst and mean times from a period's start, in parts of its period; above 1 a deadline was missed."""
    tasks = [r for r in records if r.get("record") == "hartstone-task"]
    if not tasks or not summaries(records):
        return []
    figure = Figure(figsize=(6.5, 3.2), layout="constrained")
    axes = figure.subplots()
    for i, (key, label, colour) in enumerate(BARS):
        at = [n + 0.25 * (i - 1) for n in range(len(tasks))]
        axes.bar(at, [t[key] / t["period_s"] for t in tasks], width=0.23, label=label, color=colour)
    axes.axhline(1, color="black", linewidth=0.8, label="deadline")
    axes.set_xticks(range(len(tasks)), [f"task {t['task']}\n{ms(t['period_s'])} ms" for t in tasks])
    axes.set_ylabel("part of the period")
    figure.legend(loc="outside upper center", ncols=4, fontsize="small")
    return [("Time from a period's start", figure)]
