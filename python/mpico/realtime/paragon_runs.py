"""Which runs the tables of the report need, and the cells that their records give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
LONG_CHAIN = 5
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


def _pmp(name: str, n: int, pattern: str, quick: bool, variant: Variant = Variant()) -> Run:  # noqa: B008
    words = ("pmp", "FILE", "--duration", QUICK_S if quick else PMP_S, "--width", WIDTH)
    return Run(name, n, words, variant, pattern)


def corner_pattern(n: int) -> str:
    """The recursive corner turn on n nodes with the messages of Table 6.1, as a file of `realtime pmp`."""
    return in_full(recursive(n), n, message_bytes(n))


def pmp_runs(text: str, quick: bool) -> list[Run]:
    """Tables 4.8, 4.9 and 6.1; `text` is the machine file. Quick leaves out the line of 16 nodes, which takes a minute."""
    variants = (before_patch(text, coprocessor=True), before_patch(text, coprocessor=False), sunmos())
    runs = []
    for name, variant in zip(published.CONFIGURATIONS, variants, strict=True):
        short = quick or variant.values.get("wormhole") == "true"  # flit by flit: slow, and without pauses to wait for
        runs.append(_pmp(f"pair {name}", 2, ADJACENT_PATTERN, short, variant))
        runs.append(_pmp(f"turn {name}", 4, corner_pattern(4), short, variant))
    sizes = [n for n in published.CORNER_TURN if not (quick and n > 8)]
    return runs + [_pmp(f"turn {n}", n, corner_pattern(n), quick) for n in sizes]


def chain_folder() -> Path:
    """Where the descriptions of chains are. Raises PlaceError."""
    folder = prefix() / "share" / "mpico" / "bench" / "realtime" / "chain"
    if not folder.is_dir():
        raise PlaceError(f"there is no {folder}; build it first: make build")
    return folder


def chain_runs(quick: bool) -> list[Run]:
    """Tables 5.1 and 5.2. Raises PlaceError."""
    folder, runs = chain_folder(), []
    for row, stem in CHAINS.items():
        ranks = 3 + stem.count("--")
        words = ("chain", str(folder / f"{stem}.chain"), "--seconds", QUICK_S if quick else CHAIN_S, "--width", "0.005")
        if row in published.SINGLE_NODE:
            runs.append(Run(f"chain {row} alone", ranks, (*words, "--no-flow")))
        runs.append(Run(f"chain {row}", ranks, words))
        if row == "FFT+CT":
            runs.append(Run("hidden", ranks, (*words, "--hidden", "--overlap-sends")))
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


def _period_cells(
    table: str, row: str, both: tuple[float, float], record: Record, sent: float, goal: float | None
) -> list[Cell]:
    period_s = record["period_s"]
    return [
        Cell(table, row, "Period", "ms", both[0], 1e3 * period_s, goal),
        Cell(table, row, "Rate", "MB/s", both[1], 1e-6 * sent / period_s),
    ]


def _pmp_cells(records: Records) -> Iterable[Cell]:
    for i, name in enumerate(published.CONFIGURATIONS):
        pair, turn = (record_of(records[f"{word} {name}"], "pmp") for word in ("pair", "turn"))
        yield from _period_cells("Table 4.8", name, published.ADJACENT_PERIODS[i], pair, 262144, None)
        yield from _period_cells("Table 4.9", name, published.CORNER_PERIODS[i], turn, 3 * 262144, None)
    for n, both in published.CORNER_TURN.items():
        if f"turn {n}" in records:
            record, sent = record_of(records[f"turn {n}"], "pmp"), (n - 1) * message_bytes(n)
            yield from _period_cells("Table 6.1", f"n = {n}", both, record, sent, published.PERIOD_TARGET)


def _chain_rate(row: str, record: Record) -> tuple[str, float]:
    return ("MB/s", 2.0 * 2**20 * 1e-6 / record["period_s"]) if row == "CT" else ("MFLOPS", record["mflops"])


def _chain_cells(records: Records) -> Iterable[Cell]:
    for row, (alone, flowing) in published.SINGLE_NODE.items():
        for (period, rate), run, column in (
            (alone, f"chain {row} alone", "without"),
            (flowing, f"chain {row}", "with"),
        ):
            record, use = record_of(records[run], "chain"), "predicted"
            if column == "without" and row != "FFT+CT":
                use = "input"
            unit, simulated = _chain_rate(row, record)
            yield Cell("Table 5.1", row, f"Period {column} data flow", "ms", period, 1e3 * record["period_s"], use=use)
            yield Cell("Table 5.1", row, f"Rate {column} data flow", unit, rate, simulated, use=use)
    for row, (period, rate) in published.PIPELINES.items():
        record = record_of(records[f"chain {row}"], "chain")
        yield Cell("Table 5.2", row, "Period", "ms", period, 1e3 * record["period_s"])
        yield Cell("Table 5.2", row, "Rate", "MFLOPS", rate, record["mflops"])


def cells(records: Records) -> list[Cell]:
    """All cells that the records of the runs give, by the runs' names. Raises RunError."""
    found = [*_rate_cells(records), *_many_cells(records), *_pair_cells(records), *_pmp_cells(records)]
    return sorted([*found, *_chain_cells(records)], key=lambda cell: cell.table)


def hidden(records: Records) -> float:
    """The share of the communication that FFT+CT hides."""
    return float(record_of(records["hidden"], "hidden")["hidden"])
