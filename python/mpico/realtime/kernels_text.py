"""Tables and verdicts of `realtime kernels` for the report of a whole run (docs/realtime.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Record = Mapping[str, Any]
Table = tuple[str, list[str], list[list[str]]]
Verdict = tuple[str, "bool | None", str]

PUBLISHED = (("C", "3.3", "6.8"), ("C with libraries", "13.12", "-"), ("assembly", "44.4", "47.3"))
"""RL-TR-95-103, Table 3.1: foldfft(64, 8) in MFLOPS on the Skybolt's i860XR and the Paragon's i860XP."""


def size(record: Record) -> str:
    """ "64", "64x8": a kernel's size as the options write it."""
    return f"{record['n']}x{record['f']}" if record["f"] else str(record["n"])


def _kernels(records: Sequence[Record]) -> list[Record]:
    return [r for r in records if r["record"] == "kernel"]


def _ratio(quartiles: Sequence[float]) -> str:
    """Median and quartiles."""
    return f"{quartiles[1]:.2f} ({quartiles[0]:.2f} to {quartiles[2]:.2f})" if quartiles else "-"


def _rates(records: Sequence[Record]) -> Table:
    header = [
        "kernel",
        "size",
        "data",
        "unit",
        "ours",
        "FFTW",
        "plain C",
        "over FFTW",
        "over plain C",
        "GB/s",
        "read",
        "copied",
    ]
    rows = [
        [
            str(r["kernel"]),
            size(r),
            str(r["set"]),
            str(r["unit"]),
            f"{r['ours']:.0f}",
            f"{r['fftw']:.0f}" if r["fftw"] else "-",
            f"{r['plain']:.0f}",
            _ratio(r["over_fftw"]),
            _ratio(r["over_plain"]),
            f"{r['ours_gb_s']:.1f}",
            f"{r['read_gb_s']:.1f}",
            f"{r['copied_gb_s']:.1f}",
        ]
        for r in records
    ]
    return "Kernels: medians, ratios round by round with their quartiles", header, rows


def _published(records: Sequence[Record]) -> list[Table]:
    """Table 3.1 beside this run, whose libraries are FFTW and whose assembly is our vectors."""
    ours = {r["set"]: r for r in records if (r["kernel"], r["n"], r["f"]) == ("foldfft", 64, 8)}
    if not ours:
        return []
    header = ["foldfft(64, 8), MFLOPS", "Skybolt i860XR", "Paragon i860XP", *(f"here, {name}" for name in ours)]
    rows = [
        [*line, *(f"{r[key]:.0f}" if r[key] else "-" for r in ours.values())]
        for line, key in zip(PUBLISHED, ("plain", "fftw", "ours"), strict=True)
    ]
    gains = [f"{r['over_plain'][1]:.1f}" for r in ours.values()]
    return [("Table 3.1 of RL-TR-95-103", header, [*rows, ["gain over C", "13.5", "7.0", *gains]])]


def tables(records: Sequence[Record]) -> list[Table]:
    """All rates, and the report's table beside ours where that size ran."""
    kernels = _kernels(records)
    return [_rates(kernels), *_published(kernels)] if kernels else []


def _verdict(record: Record, against: str, name: str) -> Verdict:
    quartiles, target = record[f"over_{against}"], record[f"target_over_{against}"]
    what = f"{record['kernel']} {size(record)}, new data at every call: at least {target:g} times {name}"
    return what, record.get(f"meets_over_{against}"), _ratio(quartiles) if quartiles else f"{name} did not run"


def verdicts(records: Sequence[Record]) -> list[Verdict]:
    """What had a target, against FFTW and against plain C; not judged with a planner that did not search."""
    searched = any(r["record"] == "libraries" and r["planner"] == "FFTW_PATIENT" for r in records)
    judged = [r for r in _kernels(records) if r["has_target"]]
    fftw = [_verdict(r, "fftw", "FFTW") for r in judged]
    if not searched:
        fftw = [(what, None, f"{detail}; FFTW did not search its best plan") for what, _, detail in fftw]
    return [*fftw, *(_verdict(r, "plain", "plain C") for r in judged)]
