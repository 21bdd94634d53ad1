"""The tracker: its modes against KRAKEN's, and the same track from any number of ranks."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

BUILD = Path(os.environ.get("MPICO_BUILD", "build"))


def run(ranks: int, *args: str) -> subprocess.CompletedProcess[str]:
    """mft on `ranks` ranks."""
    command = [str(BUILD / "bin/mpiexec"), "-n", str(ranks), str(BUILD / "bin/mft"), *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


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


@pytest.mark.parametrize("ranks", [2, 3, 5])
def test_any_number_of_ranks_finds_the_same_track(alone: str, ranks: int) -> None:
    assert fingerprint(ranks) == alone


def test_a_missing_folder_is_named() -> None:
    done = run(1, "--data", "/nowhere")
    assert done.returncode == 2
    assert "/nowhere" in done.stderr
