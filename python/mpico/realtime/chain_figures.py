"""Pictures of `realtime chain`: how jitter grows along the chain, where a stage's period goes, and what happened when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .chain_text import configuration

Record = Mapping[str, Any]
COMPUTE, WAIT, SEND = "#2f6f9f", "#d0d0d0", "#d98c3f"


def _groups(records: Sequence[Record]) -> Iterator[tuple[Record, list[Record], list[Record]]]:
    """Each chain with flow, its stages and its timelines."""
    chain: Record | None = None
    stages: list[Record] = []
    lines: list[Record] = []
    for record in [*records, {"record": "chain", "flow": False}]:
        if record["record"] == "chain":
            if chain is not None and chain["flow"] and stages:
                yield chain, stages, lines
            chain, stages, lines = record, [], []
        elif record["record"] == "stage":
            stages.append(record)
        elif record["record"] == "timeline":
            lines.append(record)


def _shares(axes: Axes, stages: Sequence[Record], period_s: float) -> None:
    """Where each stage's period goes, in milliseconds. What is left of its work is sending."""
    at = list(range(len(stages)))
    busy = [1e3 * record["busy_s"] for record in stages]
    out = [1e3 * record["wait_out_s"] for record in stages]
    send = [max(0.0, 1e3 * record["work_s"] - b - w) for record, b, w in zip(stages, busy, out, strict=True)]
    left = [0.0] * len(stages)
    for values, color, label in (
        (busy, COMPUTE, "computes"),
        (out, WAIT, "waits for the request"),
        (send, SEND, "sends, checks"),
    ):
        axes.barh(at, values, left=left, color=color, label=label)
        left = [a + b for a, b in zip(left, values, strict=True)]
    axes.axvline(1e3 * period_s, color="black", linewidth=1, label="the period")
    axes.set_yticks(at, [record["name"] for record in stages])
    axes.invert_yaxis()
    axes.set_xlabel("ms of a period")
    axes.legend(fontsize="small", loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)


def _jitter(axes: Axes, stages: Sequence[Record]) -> None:
    """Deviation of successive completions from the period, by stage."""
    at = list(range(len(stages)))
    axes.plot(at, [1e6 * record["jitter_s"] for record in stages], marker="o", label="standard deviation")
    axes.plot(at, [1e6 * record["jitter_worst_s"] for record in stages], marker="s", linestyle="--", label="largest")
    axes.set_xticks(at, [record["name"] for record in stages], rotation=20, ha="right")
    axes.set_ylabel("off the period (us)")
    axes.set_ylim(bottom=0)
    axes.legend(fontsize="small")


def _spans(record: Record, first: str, last: str) -> list[tuple[float, float]]:
    pairs = zip(record[first], record[last], strict=True)
    return [(1e3 * a, max(0.0, 1e3 * (b - a))) for a, b in pairs]


def _timeline(axes: Axes, lines: Sequence[Record]) -> None:
    """A row a stage, a bar a block."""
    for row, record in enumerate(lines):
        axes.broken_barh(_spans(record, "started_s", "computed_s"), (row - 0.4, 0.8), color=COMPUTE)
        axes.broken_barh(_spans(record, "computed_s", "asked_s"), (row - 0.4, 0.8), color=WAIT)
        last = "asked_s" if record["index"] else "computed_s"
        axes.broken_barh(_spans(record, last, "sent_s"), (row - 0.4, 0.8), color=SEND)
    for moment in range(len(lines[0]["ready_s"]) + 1):
        axes.axvline(1e3 * moment * lines[0]["period_s"], color="black", linewidth=0.5, linestyle=":")
    axes.set_yticks(range(len(lines)), [record["name"] for record in lines])
    axes.invert_yaxis()
    axes.set_xlabel("ms; dotted: periods of the source; blue: computes, grey: waits for the request, orange: sends")


def figures(records: Sequence[Record]) -> list[tuple[str, Figure]]:
    """For each chain with data flow: its stages' periods beside their jitter, and the timeline where it was recorded."""
    found: list[tuple[str, Figure]] = []
    for chain, stages, lines in _groups(records):
        figure = Figure(figsize=(10, 1.6 + 0.5 * len(stages)), layout="constrained")
        left, right = figure.subplots(1, 2)
        _shares(left, stages, chain["period_s"])
        _jitter(right, stages)
        found.append((f"{configuration(chain)}: periods and jitter", figure))
        if lines:
            when = Figure(figsize=(10, 1 + 0.4 * len(lines)), layout="constrained")
            _timeline(when.subplots(), lines)
            found.append((f"{configuration(chain)}: what happened when", when))
    return found
