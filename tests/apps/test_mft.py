"""The tracker: its modes against KRAKEN's, and the same track from any number of ranks."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

BUILD = Path(os.environ.get("MPICO_BUILD", "build"))


def run_on(where: tuple[str, ...], ranks: int, *args: str) -> subprocess.CompletedProcess[str]:
    """mft on `ranks` ranks, with options of mpiexec that say where."""
    command = [str(BUILD / "bin/mpiexec"), *where, "-n", str(ranks), str(BUILD / "bin/mft"), *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


def run(ranks: int, *args: str) -> subprocess.CompletedProcess[str]:
    """mft on `ranks` processes."""
    return run_on((), ranks, *args)


def test_wavenumbers_agree_with_kraken() -> None:
    done = run(1, "--check-modes")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def alone() -> str:
    return fingerprint(1)


def fingerprint(ranks: int) -> str:
    """What the search found, to the last bit."""
    done = run(ranks, "--quick", "--output", os.devnull)
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"track fingerprint ([0-9a-f]{16})", done.stdout)
    assert found, done.stdout
    return found.group(1)


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [2, 3, 5])
def test_any_number_of_ranks_finds_the_same_track(alone: str, ranks: int) -> None:
    assert fingerprint(ranks) == alone


def test_a_missing_folder_is_named() -> None:
    done = run(1, "--data", "/nowhere")
    assert done.returncode == 2
    assert "/nowhere" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [1, 5])
def test_the_pattern_of_the_paper_is_one_small_allgather_a_step(ranks: int, tmp_path: Path) -> None:
    output = tmp_path / "mft.json"
    done = run(ranks, "--paper", "--steps", "1000", "--output", str(output))
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(output.read_text(encoding="utf-8"))["allgathers"] == 1000


def simulated(ranks: int, output: Path) -> dict[str, float]:
    """What a short search takes on the simulated ring, whose processors know of the work by what is declared."""
    if not (BUILD / "lib/mpico/sim/mpico-sim").exists():
        pytest.skip("this build has no simulator")
    done = run_on(("--machine", "sharc-ring"), ranks, "--paper", "--steps", "400", "--output", str(output))
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(output.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_declared_work_is_shared_out_in_simulated_time(tmp_path: Path) -> None:
    one, four = (simulated(ranks, tmp_path / f"{ranks}.json") for ranks in (1, 4))
    # 24 hypotheses of at least three matches, each of more than 2000 operations, at 2 a cycle of 40 MHz.
    assert one["computing_s"] > 400 * 24 * 3 * 2000 / 80e6
    # The steps do not depend on the ranks, and 24 divides by 4. A match needs less work at long ranges: not quite even.
    assert one["computing_s"] / 4 < four["computing_s"] < one["computing_s"] / 4 * 1.1
    assert four["corners"] == one["corners"]
