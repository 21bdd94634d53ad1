"""Tables and verdicts of `realtime chain` for the report of a whole run (docs/realtime.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .report_parts import ms, tenths

Record = Mapping[str, Any]
Table = tuple[str, list[str], list[list[str]]]
Verdict = tuple[str, "bool | None", str]


def configuration(record: Record) -> str:
    """A few words on what distinguishes a run of a chain."""
    words = [str(record["nodes"])]
    if not record["flow"]:
        words.append("no data flow")
    if not record["function"]:
        words.append("messages alone")
    if record["mode"] != "self-timed":
        words.append(str(record["mode"]))
    if record["buffers"] == 1 and record["function"]:
        words.append("one buffer")
    if record["overlap_sends"]:
        words.append("sends overlapped")
    if record["message_rows"] != record["rows"]:
        words.append(f"{record['message_rows']} rows a message")
    return ", ".join(words)


def _chains(records: Sequence[Record]) -> Table:
    header = [
        "chain",
        "period, ms",
        "periods",
        "missed",
        "share missed below",
        "MFLOPS",
        "MB/s",
        "latency, ms",
        "wrong",
    ]
    rows = [
        [
            configuration(r),
            ms(r["period_s"]),
            str(r["periods"]),
            str(r["missed"]),
            f"{100 * r['miss_bound']:.2g} %",
            tenths(r["mflops"]),
            tenths(r["mb_per_s"]),
            ms(r["latency_s"]),
            f"{r['wrong']} of {r['checked']}",
        ]
        for r in records
        if r["record"] == "chain"
    ]
    return "Shortest periods", header, rows


def _stages(records: Sequence[Record]) -> list[Table]:
    """One table for each chain: its stages follow it."""
    header = ["stage", "computes, ms", "waits for the block", "for the request", "jitter, us", "worst", "missed"]
    tables: list[Table] = []
    for r in records:
        if r["record"] == "chain":
            tables.append((f"Stages of {configuration(r)}", header, []))
        if r["record"] == "stage" and tables:
            jitter = [f"{1e6 * r[key]:.4g}" for key in ("jitter_s", "jitter_worst_s")]
            waits = [ms(r[key]) for key in ("busy_s", "wait_in_s", "wait_out_s")]
            tables[-1][2].append([f"{r['index']} {r['name']}", *waits, *jitter, str(r["missed"])])
    return [table for table in tables if table[2]]


def _hidden(records: Sequence[Record]) -> list[Table]:
    header = ["chain", "with flow, ms", "without, ms", "messages alone, ms", "hidden"]
    keys = ("with_flow_s", "without_flow_s", "communication_s")
    found = [r for r in records if r["record"] == "hidden"]
    rows = [[configuration(r), *(ms(r[key]) for key in keys), f"{100 * r['hidden']:.0f} %"] for r in found]
    return [("Communication hidden", header, rows)] if rows else []


def tables(records: Sequence[Record]) -> list[Table]:
    """Periods, stages, and what is hidden. Titles, headers, rows of texts."""
    return [_chains(records), *_hidden(records), *_stages(records)]


def verdicts(records: Sequence[Record]) -> list[Verdict]:
    """For each chain: was its period kept, and were the sink's blocks right."""
    found: list[Verdict] = []
    for r in records:
        if r["record"] == "chain":
            kept = bool(r["kept"]) and r["missed"] == 0
            missed = f"{r['missed']} of {r['periods']} periods missed"
            if r.get("watched_missed"):  # of the run that jitter and latency are about
                missed += f"; in another run of as many {r['watched_missed']}"
            found.append((f"{configuration(r)}: period kept", kept, missed))
            right = r["wrong"] == 0 if r["checked"] else None
            error = "-" if r["worst_error"] is None else f"{r['worst_error']:.2g}"
            detail = f"{r['wrong']} of {r['checked']} blocks wrong, worst error {error}"
            found.append((f"{configuration(r)}: results at the sink", right, detail))
    return found
