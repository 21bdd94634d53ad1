"""The simulated Paragon by itself: what its software takes for packets off the page, and what its pauses delay."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from paragon_machine import paragon

BUILD = Path(os.environ.get("MPICO_PREFIX") or os.environ.get("MPICO_BUILD") or "build").resolve()
MPIEXEC, PROGRAM = BUILD / "bin/mpiexec", BUILD / "lib/mpico/bench/realtime"
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="MPICO_PREFIX names no build with bench/realtime")

BYTES = 262144
ONE_MESSAGE = f"0: S 1 {BYTES} R E\n1: R S 0 0 E\n"
PAUSE_S = 0.002


def pmp(folder: Path, machine: str, *words: str, pattern: str = ONE_MESSAGE) -> dict[str, Any]:
    """The record of a run at one period of 50 ms, longer than anything takes."""
    file = folder / "pattern"
    file.write_text(pattern, encoding="utf-8")
    command = [str(MPIEXEC), "--machine", machine, "-n", "2", str(PROGRAM), "pmp", str(file), "--period", "0.05"]
    done = subprocess.run([*command, *words], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    record: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return record


def value(machine: str, key: str) -> float:
    found = re.search(rf"(?m)^{key} = ([-+.\w]+)", Path(machine).read_text(encoding="utf-8"))
    assert found
    return float(found[1])


def test_memory_off_the_page_costs_each_packet_once(tmp_path: Path) -> None:
    """A pipeline of sender, wire and receiver: what the sender takes more for each packet, the message takes more."""
    machine = paragon(tmp_path)
    took = {align: pmp(tmp_path, machine, "--align", str(align))["worst_s"] for align in (1, 16, 2048, 4096, 65536)}
    each_s = value(machine, "packet_unaligned") / value(machine, "clock_hz")
    packets = BYTES / value(machine, "packet_max_bytes")
    assert took[16] == took[1] == took[2048]
    assert took[4096] == took[65536]
    assert took[16] - took[4096] == pytest.approx(packets * each_s, rel=0.02)


def test_an_answer_without_bytes_has_no_memory(tmp_path: Path) -> None:
    machine, pattern = paragon(tmp_path), "0: S 1 0 R E\n1: R S 0 0 E\n"
    took = [pmp(tmp_path, machine, "--align", align, pattern=pattern)["worst_s"] for align in ("16", "4096")]
    assert took[0] == took[1]


def test_a_pause_delays_the_messages_that_it_meets(tmp_path: Path) -> None:
    """Each node pauses each 0.3 s, the two never within one message: the worst waits for a whole pause, most wait for none."""
    calm = pmp(tmp_path, paragon(tmp_path), "--duration", "30")
    pauses = f"[pauses]\nperiod_us = [301000]\nlength_us = [{1e6 * PAUSE_S:.0f}]\n"
    paused = pmp(tmp_path, paragon(tmp_path, pauses), "--duration", "30")
    assert calm["worst_s"] == pytest.approx(calm["mean_s"], rel=1e-3)
    assert paused["worst_s"] - calm["worst_s"] == pytest.approx(PAUSE_S, rel=0.01)
    meets = 2 * calm["mean_s"] / 0.301  # the share of messages in which a pause begins
    assert 0.8 * meets * PAUSE_S < paused["mean_s"] - calm["mean_s"] < 0.1 * PAUSE_S


@pytest.mark.parametrize("align", ["3", "0"])
def test_an_alignment_is_a_power_of_two(tmp_path: Path, align: str) -> None:
    file = tmp_path / "pattern"
    file.write_text(ONE_MESSAGE, encoding="utf-8")
    command = [MPIEXEC, "--machine", "paragon-line", "-n", "2", PROGRAM, "pmp", file, "--align", align]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.count("realtime pmp: ") == 1
    assert "--align" in done.stderr
