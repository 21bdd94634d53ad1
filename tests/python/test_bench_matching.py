"""What bench/matching.py makes of the records of bench/matching.c."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

import matching


def record(side: str, wild: int, ahead: int, ns: float, ratio: float) -> dict[str, object]:
    return {"bench": "matching", "side": side, "any": wild, "ahead": ahead, "ns": ns, "ratio": ratio}


RECORDS = {
    "one": [
        record(side, wild, n, 50.0 + run, 1.0 + n)
        for run in range(3)
        for side, wild in matching.CASES
        for n in (0, 10000)
    ],
    "two": [record("posted", 0, 10000, 7.0, 9.0)],
}


def test_a_curve_is_the_median_over_runs() -> None:
    assert matching.curve(RECORDS["one"], ("posted", 1), "ns") == {0: 51.0, 10000: 51.0}
    assert matching.curve(RECORDS["two"], ("unexpected", 0), "ns") == {}


def test_what_was_not_measured_is_none() -> None:
    found = matching.figures(RECORDS, "ratio")
    assert found["posted"] == {"one": 10001.0, "two": 9.0}
    assert found["unexpected, half of any source"] == {"one": 10001.0, "two": None}


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert matching.draw(RECORDS, tmp_path / "matching.png")
    assert (tmp_path / "matching.png").stat().st_size > 1000
