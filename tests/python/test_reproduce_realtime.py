"""`mpico reproduce realtime`: the published numbers agree with each other, variants, cells and verdicts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
pytest.importorskip("typer")

from mpico.realtime import paragon, paragon_runs
from mpico.realtime import paragon_tables as tables
from mpico.realtime.reproduce import claims

MACHINE = (Path(__file__).parents[2] / "machines" / "paragon-line.toml").read_text(encoding="utf-8")


def test_published_sums_are_those_of_their_rows() -> None:
    assert sum(tables.SYMMETRIC) == pytest.approx(tables.SYMMETRIC_SUM, abs=0.1)
    assert sum(tables.ASYMMETRIC) == pytest.approx(tables.ASYMMETRIC_SUM, abs=0.1)


def test_published_periods_and_rates_agree() -> None:
    for n, (period_ms, rate) in tables.CORNER_TURN.items():
        assert 2**20 * (n - 1) / n / period_ms / 1e3 == pytest.approx(rate, rel=0.02)
    for (period, rate), bytes_sent in ((tables.ADJACENT_PERIODS[0], 262144), (tables.CORNER_PERIODS[0], 3 * 262144)):
        assert bytes_sent / period / 1e3 == pytest.approx(rate, rel=0.02)


def test_unsent_is_of_messages_times_processors() -> None:
    """Table 4.4 says 36 % where Table 4.5's rates leave 72 % of what was to be sent."""
    left = 1 - sum(rate / max(tables.SYMMETRIC) for rate in tables.SYMMETRIC) / len(tables.SYMMETRIC)
    assert 100 * left / 2 == pytest.approx(tables.MANY_PAIRS[16][1], abs=1)


def test_a_variant_changes_its_keys_alone() -> None:
    changed = paragon.machine_text(MACHINE, paragon.with_packets(512))
    assert paragon.number(changed, "packet_max_bytes") == 512
    assert len(set(changed.splitlines()) ^ set(MACHINE.splitlines())) == 2
    faster = paragon.machine_text(MACHINE, paragon.before_patch(MACHINE, coprocessor=False))
    assert paragon.number(faster, "packet") < paragon.number(MACHINE, "packet")
    assert 'progress = "interrupts"' in faster
    assert "[pauses]" in faster
    plain = paragon.machine_text(MACHINE, paragon.sunmos())
    assert "[pauses]" not in plain
    assert not any(paragon.number(plain, key) for key in ("packet", "packet_byte", "packet_unaligned"))


def test_a_key_that_is_not_there_is_refused() -> None:
    with pytest.raises(KeyError):
        paragon.machine_text(MACHINE, paragon.Variant({"nothing": "1"}))


def _fake_records(scale: float) -> dict[str, list[paragon.Record]]:
    """What runs print that reproduce the report, all rates times `scale`."""

    def pairs(rates: tuple[float, ...], unsent: float = 0) -> list[paragon.Record]:
        each = [{"record": "pair", "from": i, "to": 15 - i, "MBps": scale * r} for i, r in enumerate(rates)]
        return [*each, {"record": "pairs", "sum_MBps": scale * sum(rates), "unsent_percent_by_processors": unsent}]

    records = {f"size {b}": pairs((r,)) for b, r in tables.MESSAGE_SIZES.items()}
    records |= {f"packet {p}": pairs((r,)) for p, r in tables.PACKET_SIZES.items()}
    records |= {f"symmetric {n}": pairs((total,), share) for n, (total, share) in tables.MANY_PAIRS.items()}
    records |= {"symmetric 16": pairs(tables.SYMMETRIC, 36), "asymmetric 16": pairs(tables.ASYMMETRIC)}
    for name, pair, turn in zip(tables.CONFIGURATIONS, tables.ADJACENT_PERIODS, tables.CORNER_PERIODS, strict=True):
        records[f"pair {name}"] = [{"record": "pmp", "period_s": pair[0] / 1e3}]
        records[f"turn {name}"] = [{"record": "pmp", "period_s": turn[0] / 1e3}]
    for n, (period, _rate) in tables.CORNER_TURN.items():
        records[f"turn {n}"] = [{"record": "pmp", "period_s": period / 1e3 / scale}]
        records[f"turn {n}, aligned"] = [{"record": "pmp", "period_s": period / 2e3 / scale}]
    singles = {row: (*alone, *flowing) for row, (alone, flowing) in tables.SINGLE_NODE.items()}
    for row, numbers in (singles | {row: (*both, *both) for row, both in tables.PIPELINES.items()}).items():
        shown = paragon_runs.OVERLAPPED if row in tables.OVERLAPPED else paragon_runs.BLOCKING
        for way in (paragon_runs.BLOCKING, paragon_runs.OVERLAPPED):
            records[f"chain {row} {way}"] = [_hidden(numbers, 1 if way == shown else 2)]
    return records


def _hidden(numbers: tuple[float, ...], slower: float) -> paragon.Record:
    """Of a chain of these periods and rates; with data flow `slower` times slower."""
    without_ms, without_rate, with_ms, rate = numbers
    share = 1 - (with_ms - without_ms) / tables.MESSAGES_MS
    return {
        "record": "hidden",
        "hidden": share / slower,
        "with_flow_s": slower * with_ms / 1e3,
        "without_flow_s": without_ms / 1e3,
        "mflops": rate / slower,
        "mflops_without": without_rate,
    }


def test_what_was_published_is_good() -> None:
    found = paragon_runs.cells(_fake_records(1))
    assert all(cell.good for cell in found)
    assert {cell.table for cell in found} == {f"Table {t}" for t in "4.2 4.3 4.4 4.5 4.6 4.8 4.9 5.1 5.2 6.1".split()}
    assert all(abs(cell.error_percent or 0) < 2 for cell in found)
    assert {"table", "row", "column", "published", "simulated"} <= set(found[0].as_json())


def test_the_other_simulation_stands_beside_and_is_not_judged() -> None:
    found = paragon_runs.cells(_fake_records(1))
    turns = [cell for cell in found if cell.table == "Table 6.1" and cell.column == "Period"]
    assert [cell.other for cell in turns] == 4 * ["aligned buffers"]
    assert all(cell.other_error_percent == pytest.approx(-50) and cell.good for cell in turns)
    flows = {cell.row: cell.other for cell in found if cell.column.startswith("Period with data flow")}
    assert flows == {"FFT": "overlapped sends", "CT": "overlapped sends", "FFT+CT": "blocking sends"}
    assert not [cell for cell in found if "without" in cell.column and cell.otherwise is not None]


def test_targets_are_judged() -> None:
    bad = {cell.table for cell in paragon_runs.cells(_fake_records(0.7)) if not cell.good}
    assert bad == {"Table 4.4", "Table 4.5", "Table 6.1"}


def test_claims_fail_where_they_do_not_hold() -> None:
    records = _fake_records(1)
    hides = {"FFT": (0.1, 0.2), "FFT+CT": (0.5, 0.95)}
    assert all(good for _text, good in claims(paragon_runs.cells(records), hides))
    records["turn 16"][0]["period_s"] = 0.1
    hides["FFT+CT"] = (0.95, 0.5)
    assert [good for _text, good in claims(paragon_runs.cells(records), hides)] == [False, True, True, False]


def test_the_pattern_sends_what_the_table_says() -> None:
    assert paragon_runs.corner_pattern(4).count("S") >= 12
