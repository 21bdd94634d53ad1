"""`realtime hartstone`: deadlines kept and missed, on the simulated Paragon (deterministic) and with threads on the host."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))
pytest.importorskip("typer")

from mpico.realtime import hartstone_text
from paragon_machine import paragon

BUILD = Path(os.environ.get("MPICO_BUILD", "build")).resolve()
MPIEXEC, PROGRAM = BUILD / "bin/mpiexec", BUILD / "lib/mpico/bench/realtime"
built = pytest.mark.skipif(not PROGRAM.exists(), reason="MPICO_BUILD names no build with bench/realtime")
PARAGON = ("--machine", "paragon-line", "-n", "2")
ALONE = ("--tasks", "1", "--no-threads")

Record = dict[str, Any]


def hartstone(launcher: tuple[str, ...], *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(MPIEXEC), *launcher, str(PROGRAM), "hartstone", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def records_of(done: subprocess.CompletedProcess[str]) -> tuple[Record, list[Record]]:
    """The summary and the tasks."""
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert found[0]["record"] == "environment"
    (summary,) = hartstone_text.summaries(found)
    return summary, [r for r in found if r["record"] == "hartstone-task"]


@built
def test_the_shortest_period_is_kept_and_proved() -> None:
    done = hartstone(PARAGON, *ALONE, "--seconds", "0.3")
    summary, (task,) = records_of(done)
    assert done.returncode == 0, done.stderr
    assert summary["kept"] and summary["missed"] == 0 and summary["wrong"] == 0
    assert summary["worst_s"] <= summary["period_s"]
    assert summary["period_s"] * summary["periods"] >= 0.3 * 0.99
    doubt = 0.05 / (summary["proofs"] * (summary["proofs"] + 1))
    assert summary["miss_bound"] == pytest.approx(1 - doubt ** (1 / summary["periods"]))
    assert summary["mb_per_s"] == pytest.approx(262144e-6 / summary["period_s"])
    assert task["worst_receipt_s"] == pytest.approx(summary["worst_s"], rel=1e-6)
    assert 0 < task["mean_receipt_s"] <= task["worst_receipt_s"]
    assert records_of(hartstone(PARAGON, *ALONE, "--seconds", "0.3"))[0] == summary  # virtual time repeats itself


@built
def test_a_period_shorter_than_the_shortest_is_missed(tmp_path: Path) -> None:
    quiet = ("--machine", paragon(tmp_path), "-n", "2")
    shortest = records_of(hartstone(quiet, *ALONE, "--seconds", "0.3"))[0]["period_s"]
    kept = hartstone(quiet, *ALONE, "--seconds", "0.3", "--periods", f"{1e3 * shortest:.9f}")
    missed = hartstone(quiet, *ALONE, "--seconds", "0.3", "--periods", f"{970 * shortest:.6f}")
    assert (kept.returncode, missed.returncode) == (0, 1)
    assert records_of(missed)[0]["missed"] > 0


@built
def test_deadlines_that_cannot_be_kept_are_all_counted() -> None:
    done = hartstone(PARAGON, *ALONE, "--seconds", "0.1", "--periods", "1")
    summary, (task,) = records_of(done)
    assert done.returncode == 1
    assert not summary["kept"] and summary["miss_bound"] == 1
    assert summary["missed"] == summary["periods"] == task["missed"] == task["periods"] == 100
    received = task["late_receipts"]
    assert received > 0 and task["skipped"] > 0
    assert received + task["skipped"] == 100  # each was late or never sent
    (verdict, *_) = hartstone_text.verdicts([summary])
    assert verdict[1] is False


@built
@pytest.mark.parametrize("wait", ["spin", "sleep"])
def test_a_thread_a_task_on_the_host(wait: str) -> None:
    words = ("--periods", "40,80,160", "--seconds", "0.5", "--wait", wait, "--bytes", "65536")
    done = hartstone(("-n", "2"), *words)
    summary, tasks = records_of(done)
    assert done.returncode == (0 if summary["missed"] == 0 else 1)  # a busy host may miss some
    assert summary["ratios"] == [1, 2, 4]
    assert [t["period_s"] for t in tasks] == pytest.approx([0.04, 0.08, 0.16])
    assert [t["periods"] for t in tasks] == [13, 6, 3]
    assert summary["missed"] == sum(t["missed"] for t in tasks)
    assert summary["periods"] == sum(t["periods"] for t in tasks)
    assert summary["wrong"] == 0


@built
def test_rate_monotonic_priorities_or_the_reason_why_not() -> None:
    words = ("--schedule", "rate-monotonic", "--periods", "50,100", "--tasks", "2", "--seconds", "0.3")
    done = hartstone(("-n", "2"), *words)
    summary, (fast, slow) = records_of(done)
    assert summary["wait"] == "sleep"
    if summary["priorities"] == "SCHED_FIFO":
        assert fast["priority"] > slow["priority"] > 0
        return
    assert "not allowed" in summary["priorities"] and "not allowed" in done.stderr
    assert fast["priority"] == slow["priority"] == 0
    refused = hartstone(("-n", "2"), *words, "--require-priorities")
    assert refused.returncode == 2 and refused.stdout == ""


@built
@pytest.mark.parametrize(
    ("launcher", "words", "says"),
    [
        (("-n", "1"), (), "start it with mpiexec -n 2"),
        (("-n", "2"), ("--no-threads",), "take --tasks 1"),
        (("-n", "2"), ("--ratios", "1,2"), "wants 3 numbers above zero"),
        (("-n", "2"), ("--ratios", "1,2,4", "--periods", "1,2,4"), "leave --ratios out"),
        (("-n", "2"), ("--periods", "1e-9,1,1"), "shorter than the clock resolves"),
        (("-n", "2"), ("--schedule", "fair"), "equal or rate-monotonic"),
        (("-n", "2"), ("--schedule", "rate-monotonic", "--wait", "spin"), "take --wait sleep"),
        (PARAGON, (), "MPI_THREAD_MULTIPLE"),
    ],
)
def test_bad_input_is_refused_once(launcher: tuple[str, ...], words: tuple[str, ...], says: str) -> None:
    done = hartstone(launcher, *words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("realtime hartstone: ") == 1
    assert says in done.stderr
