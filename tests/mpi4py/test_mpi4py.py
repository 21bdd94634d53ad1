"""mpi4py, built with our mpicc as a module of the standard ABI, passes a part of its own test suite on mpico.

``make mpi4py`` runs all of it (``tools/mpi4py/judge.py``, which this calls). The part is chosen for what most programs use
and for what once failed here. Environment: MPICO_BUILD names the build directory (``build`` unless told).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
JUDGE = ROOT / "tools" / "mpi4py" / "judge.py"
PART = r"test_(comm|comm_topo|cco_obj|datatype|environ|group|info|objmodel|op|p2p_obj|request|rma|status|subclass|ulfm|win)\.py"
SECONDS = 280
SKIPPED = 77
FEWEST = 400
"""Tests of the part: fewer mean that the suite was not run."""


@pytest.fixture(scope="module")
def build() -> Path:
    """Return the build directory of mpico."""
    place = Path(os.environ.get("MPICO_BUILD", ROOT / "build")).resolve()
    if not (place / "bin" / "mpicc").exists():
        pytest.skip(f"mpico is not built in {place}")
    return place


def test_part_of_the_suite_passes_with_2_ranks(build: Path, tmp_path: Path) -> None:
    """Build without optimising (20 seconds of CPU instead of four minutes), and run the part."""
    results = tmp_path / "runs.json"
    words = ("--build", build, "--quick", "--ranks", "2", "--only", PART, "--json", results)
    command = [sys.executable, str(JUDGE), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    if done.returncode == SKIPPED:
        pytest.skip(done.stderr.strip()[-500:])
    assert done.returncode == 0, done.stdout + done.stderr
    run = json.loads(results.read_text())[0]
    assert run["passed"] >= FEWEST, run
