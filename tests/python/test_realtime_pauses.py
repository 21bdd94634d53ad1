"""`realtime pauses`: pauses of a simulated machine, and of a rank that is stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
pytest.importorskip("typer")

from mpico.realtime import pauses_text
from paragon_machine import paragon

BUILD = Path(os.environ.get("MPICO_BUILD", "build")).resolve()
MPIEXEC, PROGRAM = BUILD / "bin/mpiexec", BUILD / "lib/mpico/bench/realtime"
built = pytest.mark.skipif(not PROGRAM.exists(), reason="MPICO_BUILD names no build with bench/realtime")

Record = dict[str, Any]


def pauses(*words: str, launcher: tuple[str, ...] = ("-n", "2")) -> subprocess.CompletedProcess[str]:
    command = [str(MPIEXEC), *launcher, str(PROGRAM), "pauses", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def records_of(out: str, kind: str) -> list[Record]:
    return [r for line in out.splitlines() if (r := json.loads(line))["record"] == kind]


@built
def test_pauses_of_a_simulated_machine_are_measured(tmp_path: Path) -> None:
    file = paragon(tmp_path, "[pauses]\nperiod_us = [10000, 100000]\nlength_us = [112, 900]\n")
    done = pauses("--seconds", "1", launcher=("--machine", file, "-n", "2"))
    assert done.returncode == 0, done.stderr
    for rank, watch in enumerate(records_of(done.stdout, "pauses")):
        assert watch["rank"] == rank
        assert watch["pauses"] == pytest.approx(110, abs=11)  # two may fall together
        assert watch["lost_s"] == pytest.approx(100 * 112e-6 + 10 * 900e-6, rel=0.03)
    short = next(r for r in records_of(done.stdout, "pause-class") if r["count"] > 50)
    assert short["median_s"] == pytest.approx(112e-6, rel=0.05)
    assert short["distance_s"] == pytest.approx(0.01, rel=0.05)
    assert short["regular"] > pauses_text.REGULAR


@built
def test_a_machine_without_pauses_has_none(tmp_path: Path) -> None:
    done = pauses("--seconds", "0.5", launcher=("--machine", paragon(tmp_path), "-n", "1"))
    (watch,) = records_of(done.stdout, "pauses")
    assert (watch["pauses"], watch["lost_s"]) == (0, 0)
    assert watch["reads"] > 1000


def descendants(pid: int) -> list[int]:
    """Processes started by one, and by those."""
    try:
        children = [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []
    return [found for child in children for found in (child, *descendants(child))]


def rank_of(launcher: int) -> int:
    """The rank that a launcher has started, once it is there."""
    for _ in range(500):
        for pid in descendants(launcher):
            if Path(f"/proc/{pid}/comm").read_text().strip() == PROGRAM.name:
                return pid
        time.sleep(0.01)
    raise AssertionError("the launcher started no rank")


@built
def test_a_stopped_rank_is_seen_and_what_does_not_fit_is_counted() -> None:
    stop_s, times = 0.25, 4
    command = [
        str(MPIEXEC),
        "-n",
        "1",
        str(PROGRAM),
        "pauses",
        "--seconds",
        "5",
        "--threshold-us",
        "200000",
        "--room",
        "2",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as job:
        rank = rank_of(job.pid)
        time.sleep(1.0)
        for _ in range(times):
            os.kill(rank, signal.SIGSTOP)
            time.sleep(stop_s)
            os.kill(rank, signal.SIGCONT)
            time.sleep(0.1)
        out, _ = job.communicate(timeout=60)
    (watch,), (kept,) = records_of(out, "pauses"), records_of(out, "pause-list")
    assert watch["pauses"] >= times
    assert watch["longest_gap_s"] >= 0.9 * stop_s
    assert len(kept["at_s"]) == len(kept["length_s"]) == 2
    assert watch["not_kept"] == watch["pauses"] - 2
    assert sum(records_of(out, "pause-histogram")[0]["count"]) == watch["pauses"]


@built
def test_every_record_is_complete() -> None:
    done = pauses("--seconds", "0.05", "--rank", "1")
    first = json.loads(done.stdout.splitlines()[0])
    assert first["record"] == "environment"
    assert (first["subcommand"], first["arguments"]) == ("pauses", ["--seconds", "0.05", "--rank", "1"])
    (watch,) = records_of(done.stdout, "pauses")
    assert watch["rank"] == 1
    assert watch["lost_s"] == pytest.approx(watch["lost_share"] * watch["seconds_s"])
    assert pauses_text.tables(records_of(done.stdout, "pauses"))[0][2]


@built
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--rank", "2"), "outside the 2 ranks"),
        (("--seconds", "0"), "--seconds wants a number"),
        (("--threshold-us", "0.001"), "two ticks of the clock"),
        (("file",), "no arguments but options"),
    ],
)
def test_bad_input_is_refused_once(words: tuple[str, ...], says: str) -> None:
    done = pauses(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert says in done.stderr
    assert done.stderr.count("realtime pauses: ") == 1


def test_no_period_is_told_where_distances_differ() -> None:
    record = {"regular": 0.04, "distance_s": 0.01}
    assert pauses_text.period_text(record) == "irregular"
    assert pauses_text.period_text({**record, "regular": 0.9}) == "every 10 ms"
