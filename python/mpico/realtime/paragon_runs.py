"""Which runs the tables of the report need, and the cells that their records give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..places import PlaceError, prefix
from . import paragon_tables as published
from .corner_turn import message_bytes, recursive
from .paragon import Record, Run, Variant, before_patch, record_of, sunmos, with_packets
from .paragon_tables import Cell
from .patterns import in_full

Records = Mapping[str, Sequence[Record]]

ADJACENT_PATTERN = "0: S 1 262144 R E\n1: R S 0 0 E\n"
"""The pattern of Table 4.8."""
CHAINS = {"FFT": "fft", "CT": "ct", "FFT+CT": "fft-ct", "FFT+CT->FFT": "fft-ct--fft", "FFT->CT->FFT": "fft--ct--fft"}
"""Description files of Tables 5.1 and 5.2."""
BLOCKING, OVERLAPPED = "blocking sends", "overlapped sends"
UNALIGNED, PAGE = "16", "4096"
"""Bytes at a multiple of which pmp's messages begin: as plain allocation puts large buffers, and at pages."""
SUNMOS = published.CONFIGURATIONS[2]
PMP_S, CHAIN_S, QUICK_S = "5", "4", "1"
"""Seconds of a run: section 6.3 has 5, section 5.2 has 4."""
WIDTH = "0.02"


def pairs_runs(quick: bool) -> list[Run]:
    """Sections 4.1.1 to 4.1.3."""
    messages = "100" if quick else "1000"
    adjacent = ("pairs", "--layout", "adjacent", "--messages", messages)
    runs = [Run(f"size {b}", 2, (*adjacent, "--bytes", str(b))) for b in published.MESSAGE_SIZES]
    runs += [Run(f"packet {p}", 2, adjacent, with_packets(p)) for p in published.PACKET_SIZES]
    many = ("pairs", "--messages", "1000", "--layout")
    runs += [Run(f"symmetric {n}", n, (*many, "symmetric")) for n in published.MANY_PAIRS]
    return [*runs, Run("asymmetric 16", 16, (*many, "asymmetric"))]


def _pmp(name: str, n: int, pattern: str, quick: bool, variant: Variant = Variant()) -> list[Run]:  # noqa: B008
    """With buffers off the page, and with aligned ones but for SUNMOS, which has no packets and no such cost."""
    words = ("pmp", "FILE", "--exact", "--duration", QUICK_S if quick else PMP_S, "--width", WIDTH, "--align")
    runs = [Run(name, n, (*words, UNALIGNED), variant, pattern)]
    return runs if SUNMOS in name else [*runs, Run(f"{name}, aligned", n, (*words, PAGE), variant, pattern)]


def corner_pattern(n: int) -> str:
    """The recursive corner turn on n nodes with the messages of Table 6.1, as a file of `realtime pmp`."""
    return in_full(recursive(n), n, message_bytes(n))


def pmp_runs(text: str, quick: bool) -> list[Run]:
    """Tables 4.8, 4.9 and 6.1; `text` is the machine file. Quick leaves out the line of 16 nodes, which takes a minute.

    Receives name their sender: from any, a pattern can hang when nodes drift apart.
    """
    variants = (before_patch(text, coprocessor=True), before_patch(text, coprocessor=False), sunmos())
    runs: list[Run] = []
    for name, variant in zip(published.CONFIGURATIONS, variants, strict=True):
        short = quick or variant.values.get("wormhole") == "true"  # flit by flit: slow, and without pauses to wait for
        runs += _pmp(f"pair {name}", 2, ADJACENT_PATTERN, short, variant)
        runs += _pmp(f"turn {name}", 4, corner_pattern(4), short, variant)
    for n in [n for n in published.CORNER_TURN if not (quick and n > 8)]:
        runs += _pmp(f"turn {n}", n, corner_pattern(n), quick)
    return runs


def chain_folder() -> Path:
    """Where the descriptions of chains are. Raises PlaceError."""
    folder = prefix() / "share" / "mpico" / "bench" / "realtime" / "chain"
    if not folder.is_dir():
        raise PlaceError(f"there is no {folder}; build it first: make build")
    return folder


def chain_runs(quick: bool) -> list[Run]:
    """Tables 5.1 and 5.2, each with and without flow, with blocking and with overlapped sends. Raises PlaceError."""
    folder, runs = chain_folder(), []
    for row, stem in CHAINS.items():
        ranks = 3 + stem.count("--")
        words = ("chain", str(folder / f"{stem}.chain"), "--seconds", QUICK_S if quick else CHAIN_S, "--width", "0.005")
        runs.append(Run(f"chain {row} {BLOCKING}", ranks, (*words, "--hidden")))
        runs.append(Run(f"chain {row} {OVERLAPPED}", ranks, (*words, "--hidden", "--overlap-sends")))
    return runs


# ---- Cells ----


def _rate_cells(records: Records) -> Iterable[Cell]:
    for sizes, table, word in (
        (published.MESSAGE_SIZES, "Table 4.2", "size"),
        (published.PACKET_SIZES, "Table 4.3", "packet"),
    ):
        for size, rate in sizes.items():
            simulated = record_of(records[f"{word} {size}"], "pairs")["sum_MBps"]
            yield Cell(table, f"{word} {size}", "Rate", "MB/s", rate, simulated, use="calibrated")


def _many_cells(records: Records) -> Iterable[Cell]:
    for n, (total, unsent) in published.MANY_PAIRS.items():
        record, target = record_of(records[f"symmetric {n}"], "pairs"), None
        if n >= published.SATURATED_FROM:
            target = published.SUM_TARGET
        yield Cell("Table 4.4", f"{n} processors", "Sum", "MB/s", total, record["sum_MBps"], target)
        share = record["unsent_percent_by_processors"]
        yield Cell("Table 4.4", f"{n} processors", "Unsent", "%", unsent, share)


def _pair_cells(records: Records) -> Iterable[Cell]:
    for table, run, rates, total, goals in (
        ("Table 4.5", "symmetric 16", published.SYMMETRIC, published.SYMMETRIC_SUM, (15.0, 5.0)),
        ("Table 4.6", "asymmetric 16", published.ASYMMETRIC, published.ASYMMETRIC_SUM, (None, None)),
    ):
        pairs = [record for record in records[run] if record["record"] == "pair"]
        for pair, rate in zip(pairs, rates, strict=True):
            yield Cell(table, f"{pair['from']}-{pair['to']}", "Rate", "MB/s", rate, pair["MBps"], goals[0])
        yield Cell(table, "Sum", "Rate", "MB/s", total, record_of(records[run], "pairs")["sum_MBps"], goals[1])


def _period_s(records: Records, run: str) -> float:
    return float(record_of(records[run], "pmp")["period_s"])


def _period_cells(
    table: str, row: str, both: tuple[float, float], records: Records, run: str, sent: float
) -> Iterable[Cell]:
    """The period and the rate of `sent` bytes; `run` is of buffers off the page, its namesake of aligned ones."""
    goal = published.PERIOD_TARGET if table == "Table 6.1" else None
    use = "calibrated" if run == f"pair {published.CONFIGURATIONS[0]}" else "predicted"
    period_s, aligned = _period_s(records, run), f"{run}, aligned"
    cells = (
        Cell(table, row, "Period", "ms", both[0], 1e3 * period_s, goal, use),
        Cell(table, row, "Rate", "MB/s", both[1], 1e-6 * sent / period_s, None, use),
    )
    if aligned not in records:
        return cells
    aligned_s = _period_s(records, aligned)
    others = (1e3 * aligned_s, 1e-6 * sent / aligned_s)
    return [replace(cell, other="aligned buffers", otherwise=x) for cell, x in zip(cells, others, strict=True)]


def _pmp_cells(records: Records) -> Iterable[Cell]:
    for i, name in enumerate(published.CONFIGURATIONS):
        pair, turn = published.ADJACENT_PERIODS[i], published.CORNER_PERIODS[i]
        yield from _period_cells("Table 4.8", name, pair, records, f"pair {name}", 262144)
        yield from _period_cells("Table 4.9", name, turn, records, f"turn {name}", 3 * 262144)
    for n, both in published.CORNER_TURN.items():
        if f"turn {n}" in records:
            yield from _period_cells("Table 6.1", f"n = {n}", both, records, f"turn {n}", (n - 1) * message_bytes(n))


def _chain_numbers(record: Record, row: str, flow: str) -> tuple[float, float]:
    """Period in ms and rate of the node that limits; `flow`: with or without."""
    period_s = float(record[f"{flow}_flow_s"])
    mflops = float(record["mflops" if flow == "with" else "mflops_without"])
    return 1e3 * period_s, 2.0 * 2**20 * 1e-6 / period_s if row == "CT" else mflops


def _ways(row: str) -> tuple[str, str]:
    """How it sends in the simulation that is judged, and in the other."""
    return (OVERLAPPED, BLOCKING) if row in published.OVERLAPPED else (BLOCKING, OVERLAPPED)


def _flow_cells(records: Records, table: str, row: str, flow: str, both: tuple[float, float]) -> Iterable[Cell]:
    """Without flow nothing is sent: there the two ways of sending are one."""
    numbers, other = (_chain_numbers(_hidden(records, row, way), row, flow) for way in _ways(row))
    use = "input" if flow == "without" and row in published.OF_INPUT else "predicted"
    suffix = f" {flow} data flow" if table == "Table 5.1" else ""
    units = ("ms", "MB/s" if row == "CT" else "MFLOPS")
    for i, name in enumerate(("Period", "Rate")):
        cell = Cell(table, row, f"{name}{suffix}", units[i], both[i], numbers[i], use=use)
        yield cell if flow == "without" else replace(cell, other=_ways(row)[1], otherwise=other[i])


def _hidden(records: Records, row: str, way: str) -> Record:
    return record_of(records[f"chain {row} {way}"], "hidden")


def _chain_cells(records: Records) -> Iterable[Cell]:
    for row, (alone, flowing) in published.SINGLE_NODE.items():
        yield from _flow_cells(records, "Table 5.1", row, "without", alone)
        yield from _flow_cells(records, "Table 5.1", row, "with", flowing)
        share = 100 * (1 - (flowing[0] - alone[0]) / published.MESSAGES_MS)
        ours, other = (100 * hidden(records, row, way) for way in _ways(row))
        cell = Cell("Table 5.1", row, "Communication hidden", "%", share, ours)
        yield replace(cell, other=_ways(row)[1], otherwise=other)
    for row, both in published.PIPELINES.items():
        yield from _flow_cells(records, "Table 5.2", row, "with", both)


def cells(records: Records) -> list[Cell]:
    """All cells that the records of the runs give, by the runs' names. Raises RunError."""
    found = [*_rate_cells(records), *_many_cells(records), *_pair_cells(records), *_pmp_cells(records)]
    return sorted([*found, *_chain_cells(records)], key=lambda cell: cell.table)


def hidden(records: Records, row: str, way: str) -> float:
    """The share of its communication that a chain of Tables 5.1 and 5.2 hides, with BLOCKING or OVERLAPPED sends. Raises RunError."""
    return float(_hidden(records, row, way)["hidden"])
