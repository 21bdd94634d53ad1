"""The results file: what is written is read again, what is wrong is told; medians and their intervals."""

from __future__ import annotations

import json
import math
import random
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))

from mpico.results import (
    Environment,
    Measurement,
    Results,
    ResultsError,
    median_interval,
    parse_results,
    read_results,
    write_results,
)

ENVIRONMENT = Environment("machine", "sharc-ring", "stop-and-wait", "mpico 0.1.0", ("mpiexec",), {"cpus": 2}, "", 0.001)


def measurement(**changes: object) -> Measurement:
    """One measurement, with changes."""
    record: dict[str, Any] = dict(pattern="pingpong", ranks=4, bytes=4, us=12.3, low_us=12.1, high_us=12.6)
    record |= dict(confidence=0.95, repetitions=30, outliers=2, least_us=12.0, most_us=50.0)
    return Measurement(**{**record, **changes})


def lines(*records: object) -> list[str]:
    """JSON lines of environments, measurements and plain objects."""
    return [json.dumps(r.as_json() if isinstance(r, Environment | Measurement) else r) for r in records]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    results = Results(ENVIRONMENT, (measurement(), measurement(pattern="once", source=0, destination=3, hops=3)))
    write_results(tmp_path / "r.jsonl", results)
    assert read_results(tmp_path / "r.jsonl") == results
    first, second, third = (json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines())
    assert first["record"] == "environment" and first["format"] == 1 and first["launcher"] == ["mpiexec"]
    assert second["record"] == "measurement" and "hops" not in second
    assert third["hops"] == 3


def test_files_of_one_machine_may_follow_each_other() -> None:
    results = parse_results(lines(ENVIRONMENT, measurement(), ENVIRONMENT, measurement(bytes=8)))
    assert [m.bytes for m in results.of("pingpong")] == [4, 8]


def test_measurements_are_chosen_by_pattern_ranks_and_hops() -> None:
    taken = [measurement(pattern="once", bytes=b, hops=h, ranks=n) for n in (2, 3) for h in (1, 2) for b in (8, 4)]
    results = Results(ENVIRONMENT, (*taken, measurement()))
    assert [m.bytes for m in results.of("once", ranks=3, hops=2)] == [4, 8]
    assert len(results.of("once")) == 8


def without(key: str) -> dict[str, Any]:
    """A measurement's object that lacks a key."""
    return {k: v for k, v in measurement().as_json().items() if k != key}


OTHER = Environment("processes", "AMD EPYC")
BAD: list[tuple[list[str], str]] = [
    ([], "empty"),
    (["no JSON"], "line 1: no JSON"),
    (["[1]"], "line 1: neither an environment nor a measurement"),
    (lines(measurement()), "line 1: a measurement before the environment"),
    (
        lines(ENVIRONMENT, OTHER),
        "line 2: mixed machines: machine sharc-ring stop-and-wait, and then processes AMD EPYC",
    ),
    (lines({**ENVIRONMENT.as_json(), "format": 2}), "line 1: format 2"),
    (lines({**ENVIRONMENT.as_json(), "place": "moon"}), "unknown place 'moon'"),
    (lines({"record": "environment", "format": 1, "place": "machine"}), "without machine"),
    (lines(ENVIRONMENT, without("high_us")), "line 2: a measurement without high_us"),
    (lines(ENVIRONMENT, {**without("us"), "us": float("nan")}), "us is NaN, and must be a number"),
    (lines(ENVIRONMENT, {**without("us"), "us": "fast"}), 'us is "fast"'),
    (lines(ENVIRONMENT, measurement(bytes=-4)), "bytes is -4"),
    (lines(ENVIRONMENT, measurement(ranks=0)), "ranks is 0"),
    (lines(ENVIRONMENT, measurement(bytes=4.5)), "bytes is 4.5"),
    (lines(ENVIRONMENT, measurement(pattern="pong")), "unknown pattern 'pong'"),
    (lines(ENVIRONMENT, measurement(us=13.0)), "the median lies outside of its interval"),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_what_is_wrong_is_told_with_its_line(text: list[str], says: str) -> None:
    with pytest.raises(ResultsError) as told:
        parse_results(text)
    assert says in str(told.value)


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for path, says in ((tmp_path / "none", "cannot read"), (tmp_path / "binary", "no text")):
        with pytest.raises(ResultsError, match=says):
            read_results(path)
    with pytest.raises(ResultsError, match="cannot write"):
        write_results(tmp_path / "no" / "r", Results(ENVIRONMENT, ()))


@pytest.mark.parametrize(("n", "low", "high"), [(6, 1, 6), (10, 2, 9), (30, 10, 21), (70, 27, 44)])
def test_intervals_are_the_narrowest_that_hold(n: int, low: int, high: int) -> None:
    """Ranks of order statistics at 95 %, of samples that are their own ranks."""
    found = median_interval(range(1, n + 1))
    assert (found.low, found.high) == (low, high)
    assert found.value == (n + 1) / 2
    # P(low <= B < high), B binomial, computed the other way round
    assert found.confidence == pytest.approx(sum(math.comb(n, k) for k in range(low, high)) / 2**n)
    assert found.confidence >= 0.95
    assert n < 8 or sum(math.comb(n, k) for k in range(low + 1, high - 1)) / 2**n < 0.95


def test_too_few_samples_give_less_confidence() -> None:
    assert median_interval([3.0, 1.0]) == median_interval([1.0, 3.0])
    assert median_interval([1.0, 3.0]).confidence == 0.5
    assert median_interval([2.0]).confidence == 0.0
    with pytest.raises(ValueError, match="samples"):
        median_interval([])


def test_intervals_hold_the_true_median_as_often_as_they_say() -> None:
    """A skewed distribution whose median is ln 2; 95 % of 2000 intervals, with three standard deviations of room."""
    chance = random.Random(1)
    held = 0
    for _ in range(2000):
        found = median_interval([chance.expovariate(1.0) for _ in range(25)])
        held += found.low <= math.log(2) <= found.high
    expected = median_interval(range(25)).confidence
    assert abs(held / 2000 - expected) < 3 * math.sqrt(expected * (1 - expected) / 2000)
